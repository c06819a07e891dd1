"""The sentences for what can be wrong with a simulation."""

from __future__ import annotations

from mia_cli.text.language.catalogue import N_

SENTENCES = {
    "not_a_count": N_("“{value}” is not allowed for {place}: use a whole number, 1 to {highest}."),
    "not_a_width": N_("“{value}” is not allowed for {place}: use a share such as 0.01, below 1."),
    "player_count": N_(
        "Players named with --cpu: {given}. Name 2 to {highest}, with one --cpu for each."
    ),
    "no_players": N_("Name the players with --cpu, such as {command}."),
    "match_needs_seed": N_("--match needs --seed, or --resume with the file of a run."),
    "not_in_run": N_("There is no match {value} in a run of {count} matches."),
    "already_played": N_(
        "The run has {done} matches already: {value} is less. Use a higher --matches, or none."
    ),
    "other_simulation": N_(
        "{file} holds another run: its {option} differs. Leave the option out, or name another "
        "file."
    ),
    "not_a_simulation": N_("{file}: not the state of a simulation ({allowed})."),
    "damaged_simulation": N_("{file}: damaged, no run can go on from it."),
    "other_tables": N_(
        "{file}: the run was played with version {found} of the tables of {level}, and mia now has "
        "version {now}: start it anew, or go on with the version of mia that began it."
    ),
    "log_too_short": N_("{file}: shorter than this run has left it, so it cannot be continued."),
    "log_differs": N_("{file}: does not begin with the matches that this run has played."),
    "not_exact": N_("“{value}” cannot be computed exactly: use {allowed}."),
    "no_compiled_kernel": N_(
        "{place}: the compiled kernel is not part of this installation. Use {other}, or nothing."
    ),
    "worker_died": N_(
        "Worker processes died too often, the last one at match {first}: the run was given up."
    ),
    "not_an_address": N_(
        "“{value}” is not an address for {place}: write it as tcp://HOST:PORT, such as "
        "tcp://127.0.0.1:8786."
    ),
    "needs_package": N_("{option} needs a package that is not installed: {command}"),
    "cluster_silent": N_("No Dask scheduler answers at {address}."),
    "cluster_empty": N_(
        "The Dask scheduler at {address} has had no workers for {seconds} seconds."
    ),
    "cluster_lost": N_("The Dask scheduler at {address} no longer answers."),
    "other_version": N_(
        "{worker} needs mia {needed}, and has {found}: install the same version on every machine "
        "of the cluster."
    ),
}
"""English templates by error code."""
