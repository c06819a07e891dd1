"""Any match, for hypothesis; apart from the samples because child processes start without it."""

from hypothesis import strategies as st

from mia_cli.rules.ruleset import LIVES, PENALTIES, SEATS
from tests.records.record_samples import history

seeds = st.one_of(
    st.integers(-(10**100) + 1, 10**100 - 1), st.sampled_from([0, 2**53 - 1, 2**53, -(2**53)])
)


@st.composite
def histories(draw):
    """Any match, as its records after every action."""
    seats = draw(st.sampled_from(SEATS))
    return history(
        seed=draw(seeds),
        seats=seats,
        lives=draw(st.sampled_from(LIVES)),
        penalty=draw(st.sampled_from(PENALTIES)),
        leader=draw(st.integers(1, seats)),
        human=draw(st.integers(1, seats)),
        choices=draw(st.integers(0, 2**32)),
    )
