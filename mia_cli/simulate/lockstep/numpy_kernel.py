"""The kernel in NumPy: thousands of matches in lockstep, one turn of each per step.

A slot plays one match after another: where a match ends, the next one of the block starts in its
slot, and a block ends when each of its matches has. No match is left out and none is cut, so
short matches are not favoured, as they would be if the slots stopped at a total. What a match
plays depends on its number alone (``draws``), so slots and blocks are only a matter of speed.

A step is some fifty array operations over all slots. The compiled kernel plays the same matches.
"""

from __future__ import annotations

import numpy as np

from mia_cli.rules.rolls import OUTCOMES
from mia_cli.simulate.lockstep import draws
from mia_cli.simulate.lockstep.alias_tables import COLUMN_BITS, Hashes, Numbers, Words
from mia_cli.simulate.lockstep.kernel import (
    OUTCOME_SHIFT,
    KernelGame,
    TracedTurns,
    played_by_seating,
)
from mia_cli.simulate.lockstep.library import NUMPY
from mia_cli.simulate.lockstep.nodes import MOST_NODES, Nodes
from mia_cli.simulate.lockstep.situations import EVENTS, standing_after, turn_events
from mia_cli.simulate.tally import Tally
from mia_cli.theory.rule_arrays import CLAIM_COUNT

SLOTS = 1 << 13
"""Matches in play at once: their arrays stay in the cache of a core."""

_U = np.uint64
_GAMMA = _U(draws.GAMMA)
_FIRST_FACTOR, _SECOND_FACTOR = _U(draws.FIRST_FACTOR), _U(draws.SECOND_FACTOR)
_FIRST_SHIFT, _SECOND_SHIFT = _U(draws.FIRST_SHIFT), _U(draws.SECOND_SHIFT)
_LAST_SHIFT = _U(draws.LAST_SHIFT)
_DICE_SHIFT, _DICE_BITS, _OUTCOMES = _U(draws.DICE_SHIFT), _U(draws.DICE_BITS), _U(OUTCOMES)
_CLAIM_SHIFT, _CLAIM_BITS = _U(draws.CLAIM_SHIFT), _U(draws.CLAIM_BITS)
_ANSWER_MASK = 2**draws.ANSWER_BITS - 1
_COUNT_MASK = _U((1 << COLUMN_BITS) - 1)
_COLUMN_BITS = _U(COLUMN_BITS)
_CODE_BITS, _CODE_MASK = _U(16), _U(0xFFFF)
_EVENT_BITS = EVENTS.bit_length() - 1
_INVERSE_GAMMA = _U(pow(draws.GAMMA, -1, 2**64))


class NumpyKernel:
    """Plays matches of a game; see ``Kernel``. ``slots``: matches in play at once."""

    name = NUMPY

    def __init__(self, game: KernelGame, most_nodes: int = MOST_NODES, slots: int = SLOTS) -> None:
        self._slots = slots
        self.nodes = Nodes(game.rules, game.players, game.seatings, most_nodes)
        self.dice_key, self.decision_key = (
            _U(draws.key(game.seed, purpose)) for purpose in (draws.DICE, draws.DECISIONS)
        )
        self.events = turn_events()
        self.next_row = standing_after() * OUTCOMES
        self.next_answer = standing_after() * CLAIM_COUNT

    def play(self, first: int, count: int) -> Tally:
        """Play the matches ``first`` ... ``first + count - 1`` of the run."""
        return _Block(self, first, count, min(self._slots, count)).play()

    def trace(self, first: int, count: int) -> tuple[Tally, TracedTurns]:
        """Play these matches, and keep every turn."""
        steps = _Steps(first, count)
        tally = _Block(self, first, count, min(self._slots, count)).play(steps)
        return tally, steps.turns()


class _Steps:
    """The turns of a block, step by step: of every slot, when it was played, and what happened."""

    def __init__(self, first: int, count: int) -> None:
        self._first, self._count = first, count
        self._counters: list[Numbers] = []
        self._turns: list[Words] = []

    def add(self, counter: Hashes, outcome: Numbers, said: Numbers) -> None:
        """Keep a step. ``said``: ``2 * code + challenged``."""
        self._counters.append((counter * _INVERSE_GAMMA).view(np.int64) - 1)
        self._turns.append((outcome << OUTCOME_SHIFT | said).astype(np.uint32))

    def turns(self) -> TracedTurns:
        """All turns, match after match."""
        counters = np.concatenate(self._counters)
        order = np.argsort(counters)
        match = counters // draws.TURNS - self._first
        ends = np.bincount(match, minlength=self._count).cumsum()
        return TracedTurns(np.concatenate(self._turns)[order], ends)


class _Block:
    """The slots while a block is played."""

    def __init__(self, kernel: NumpyKernel, first: int, count: int, slots: int) -> None:
        self._kernel, self._nodes = kernel, kernel.nodes
        nodes = kernel.nodes
        self._count, self._next, self._end = count, first, first + count
        self._wins = np.zeros(self._nodes.seatings * self._nodes.players, dtype=np.int64)
        bins = self._nodes.players**2 if self._nodes.apart else self._nodes.over
        self._counts = np.zeros(bins * EVENTS, dtype=np.int64)
        self._buffers = np.zeros((10, slots), dtype=np.int64)
        self._flags = np.zeros(slots, dtype=np.bool_)
        self._short = np.zeros(slots, dtype=np.uint32)
        if not nodes.tables.by_lives:
            self._row, self._answers_at = (
                nodes.tables.row[nodes.rolls],
                nodes.tables.answer[nodes.answers],
            )
        self._use(slots)
        self._start_matches(np.arange(slots))
        self._find_tables()

    def _use(self, slots: int) -> None:
        """Let every array be the first ``slots`` of its buffer.

        State: ``node``, ``seating`` (times P * P), ``standing`` (times 36), ``counter`` (times the
        step of the generator). The rest is computed anew in every turn.
        """
        used: Numbers = self._buffers[:, :slots]
        self.node, self.seating, self.standing = used[0], used[1], used[2]
        self.counter: Hashes = used[3].view(np.uint64)
        self.row, self.answer, self.index = used[4], used[5], used[6]
        self.word, self.scratch = used[7].view(np.uint64), used[8].view(np.uint64)
        self.code, self.number = used[7], used[8]
        self.pair: Numbers = used[9]
        self.flags, self.short = self._flags[:slots], self._short[:slots]

    def play(self, steps: _Steps | None = None) -> Tally:
        """Play every match of the block to its end."""
        while len(self.node):
            self._roll()
            outcome = (self.index - self.row) if steps else None
            self._claim()
            self._answer()
            if steps and outcome is not None:
                steps.add(self.counter, outcome, self.code)
            self._follow()
            self._finish()
            self._find_tables()
        return self._tally()

    def _hash(self, key: np.uint64) -> None:
        """Words of this turn into ``word``, but for the last step of the mix."""
        word, scratch = self.word, self.scratch
        np.add(self.counter, key, out=word)
        np.right_shift(word, _FIRST_SHIFT, out=scratch)
        np.bitwise_xor(word, scratch, out=word)
        np.multiply(word, _FIRST_FACTOR, out=word)
        np.right_shift(word, _SECOND_SHIFT, out=scratch)
        np.bitwise_xor(word, scratch, out=word)
        np.multiply(word, _SECOND_FACTOR, out=word)

    def _roll(self) -> None:
        """The row of claims that the dice lead to, into ``index``."""
        self._hash(self._kernel.dice_key)
        word = self.word
        np.right_shift(word, _DICE_SHIFT, out=word)
        np.multiply(word, _OUTCOMES, out=word)
        np.right_shift(word, _DICE_BITS, out=word)
        np.add(self.row, self.code, out=self.index)

    def _claim(self) -> None:
        """The code of the claim into ``code``, the number for the answer into ``number``."""
        pool, word, scratch = self._nodes.tables.pool, self.word, self.scratch
        self._hash(self._kernel.decision_key)
        np.right_shift(word, _LAST_SHIFT, out=scratch)
        np.bitwise_xor(word, scratch, out=word)
        meta = self.row.view(np.uint64)  # the row is not needed any more
        np.take(pool.meta, self.index, out=self.short, mode="clip")
        np.copyto(meta, self.short)
        np.bitwise_and(meta, _COUNT_MASK, out=scratch)
        np.right_shift(meta, _COLUMN_BITS, out=meta)
        np.bitwise_and(self.code, _ANSWER_MASK, out=self.index)
        np.right_shift(word, _CLAIM_SHIFT, out=word)
        np.multiply(word, scratch, out=word)
        np.right_shift(word, _CLAIM_BITS, out=scratch)
        np.add(scratch, meta, out=scratch)
        np.left_shift(word, _CLAIM_BITS, out=word)
        column = meta
        np.take(pool.columns, self.number, out=column, mode="clip")
        np.greater_equal(word, column, out=self.flags)
        np.multiply(self.flags.view(np.uint8), _CODE_BITS, out=scratch, casting="unsafe")
        np.right_shift(column, scratch, out=column)
        np.bitwise_and(column, _CODE_MASK, out=word)

    def _answer(self) -> None:
        """``2 * code + challenged`` into ``code``."""
        code, place = self.code, self.number
        np.right_shift(code, 1, out=place)
        np.add(place, self.answer, out=place)
        np.take(self._nodes.tables.pool.answers, place, out=self.short, mode="clip")
        np.copyto(self.row, self.short)
        np.less(self.index, self.row, out=self.flags)
        np.add(code, code, out=code)
        np.add(code, self.flags.view(np.uint8), out=code)

    def _follow(self) -> None:
        """Count the turn and go on to the node after it."""
        kernel, nodes = self._kernel, self._nodes
        event, index = self.number, self.index
        np.take(kernel.events, self.code, out=event, mode="clip")
        np.take(kernel.next_row, self.code, out=self.standing, mode="clip")
        np.left_shift(self.node, _EVENT_BITS, out=index)
        np.add(index, event, out=index)
        self._counts += np.bincount(
            self._pair_events(event) if nodes.apart else index, minlength=len(self._counts)
        )
        np.take(nodes.follow, index, out=self.node, mode="clip")
        np.add(self.counter, _GAMMA, out=self.counter)

    def _pair_events(self, event: Numbers) -> Numbers:
        """``pair * 8 + event``; the pair was left in ``pair`` by ``_find_tables``."""
        np.left_shift(self.pair, _EVENT_BITS, out=self.pair)
        self.pair += event
        return self.pair

    def _finish(self) -> None:
        """Count matches that have ended and start others, or use fewer slots."""
        nodes = self._nodes
        np.greater_equal(self.node, nodes.over, out=self.flags)
        ended = np.flatnonzero(self.flags)
        if not len(ended):
            return
        won = self.node[ended] - nodes.over
        if nodes.apart:
            won += self.seating[ended] // nodes.players
        self._wins += np.bincount(won, minlength=len(self._wins))
        left = self._end - self._next
        self._start_matches(ended[:left])
        if left < len(ended):
            self.flags[ended[:left]] = False
            kept = np.flatnonzero(~self.flags)
            for name in ("node", "seating", "standing", "counter"):
                array = getattr(self, name)
                array[: len(kept)] = array[kept]
            self._use(len(kept))

    def _start_matches(self, slots: Numbers) -> None:
        """Start the next matches of the block in these slots."""
        nodes = self._nodes
        match = np.arange(self._next, self._next + len(slots))
        self._next += len(slots)
        seating = match % nodes.seatings
        self.node[slots] = nodes.starts[seating]
        self.seating[slots] = seating * nodes.players**2
        self.standing[slots] = 0
        self.counter[slots] = (match * draws.TURNS + 1).view(np.uint64) * _GAMMA

    def _find_tables(self) -> None:
        """Where the tables of the seats that act are, into ``row`` and ``answer``."""
        nodes = self._nodes
        if nodes.apart:
            np.take(nodes.pair_of_places, self.node, out=self.pair, mode="clip")
            np.add(self.pair, self.seating, out=self.pair)
            np.take(nodes.pair, self.pair, out=self.pair, mode="clip")
        key = self.pair if nodes.apart else self.node
        if nodes.tables.by_lives:
            self._find_by_lives(key)
        else:
            np.take(self._row, key, out=self.row, mode="clip")
            np.take(self._answers_at, key, out=self.answer, mode="clip")
        np.add(self.row, self.standing, out=self.row)

    def _find_by_lives(self, key: Numbers) -> None:
        nodes, tables = self._nodes, self._nodes.tables
        if tables.pool.is_full:
            # At most once in a step, whatever the step itself needs.
            tables.forget()
        for keys, table, out in (
            (nodes.rolls, tables.row, self.row),
            (nodes.answers, tables.answer, self.answer),
        ):
            index = self.index
            np.take(keys, key, out=index, mode="clip")
            if nodes.apart:
                np.add(index, self.node, out=index)
            np.take(table, index, out=out, mode="clip")
            if len(out) and out.min() < 0:
                tables.build(index[out < 0])
                np.take(table, index, out=out, mode="clip")

    def _tally(self) -> Tally:
        nodes = self._nodes
        counts = self._counts.reshape(-1, EVENTS)
        events = np.zeros((nodes.players**2, EVENTS), dtype=np.int64)
        np.add.at(events, np.arange(len(counts)) if nodes.apart else nodes.pair, counts)
        return Tally(
            played_by_seating(self._end - self._count, self._count, nodes.seatings),
            self._wins.reshape(nodes.seatings, -1),
            events.reshape(nodes.players, nodes.players, EVENTS),
        )
