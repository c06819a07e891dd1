"""The list of defects is true: each can be made where it says, and its tests are there."""

from collections import Counter

from tests.harness.mutants import AREAS, ROOT, mutants


def test_every_defect_can_be_made():
    for mutant in mutants():
        text = mutant.made(ROOT)
        compile(text, mutant.name, "exec")
        assert text != (ROOT / mutant.file).read_text("utf-8"), mutant.name
        assert mutant.tests, mutant.name
        assert all((ROOT / test).exists() for test in mutant.tests), mutant.name


def test_there_are_enough_and_each_has_a_name():
    names = Counter(mutant.name for mutant in mutants())
    assert AREAS == ("rules", "store", "theory", "verify")
    assert len(names) >= 50
    assert max(names.values()) == 1
