"""Personal links: each opens one table for one person, once; a forged one opens nothing."""

from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from adapters.port import ProofProblem, ProofRefusedError, Visit
from bot.delivery.views import LINK_SECONDS, PersonalLinks
from tests.bot.chat import person

ANNA = person("Anna")
BORIS = person("Boris")
ADDRESS = "https://durak.example/in/link"

Forgery = Callable[[str, int, str], str]

# Forgeries of somebody else's link.
FORGERIES: dict[str, Forgery] = {
    "another text": lambda proof, place, text: text,
    "one sign changed": lambda proof, place, text: proof[:place] + text[:1] + proof[place + 1 :],
    "one sign less": lambda proof, place, text: proof[:place] + proof[place + 1 :],
    "something before it": lambda proof, place, text: text + proof,
    "something after it": lambda proof, place, text: proof + text,
    "the whole link": lambda proof, place, text: f"{ADDRESS}#{proof}",
    "other letters": lambda proof, place, text: proof.swapcase(),
    "its end first": lambda proof, place, text: proof[place:] + proof[:place],
}


def proof_in(link: str) -> str:
    return link.removeprefix(f"{ADDRESS}#")


async def problem_of(links: PersonalLinks, proof: str) -> ProofProblem:
    with pytest.raises(ProofRefusedError) as refused:
        await links.visit(proof, "", "")
    return refused.value.problem


@settings(max_examples=500)
@given(st.sampled_from(sorted(FORGERIES)), st.integers(0, 31), st.text(max_size=40))
async def test_500_forged_links_open_nothing_and_the_true_ones_their_own_tables(
    forgery: str, place: int, text: str
) -> None:
    links = PersonalLinks(ADDRESS, lambda: 0.0)
    given_to = ((ANNA, 7), (BORIS, 8))
    proofs = {proof_in(links.issue(Visit(user, table, "link"))): (user, table) for user, table in given_to}
    forged = FORGERIES[forgery](next(iter(proofs)), place, text)
    assume(forged not in proofs)
    assert await problem_of(links, forged) is ProofProblem.FORGED

    for proof, (user, table) in proofs.items():
        visit = await links.visit(proof, str(table + 1), "")
        assert (visit.user, visit.table_id) == (user, table)
        links.use(proof, "")
        assert await problem_of(links, proof) is ProofProblem.USED
        assert await problem_of(links, forged) is ProofProblem.FORGED


@settings(max_examples=500)
@given(st.floats(0.0, 10 * LINK_SECONDS), st.floats(0.0, 10 * LINK_SECONDS))
async def test_a_link_is_good_for_ten_minutes_whenever_it_was_given(given_at: float, waited: float) -> None:
    now = given_at
    links = PersonalLinks(ADDRESS, lambda: now)
    proof = proof_in(links.issue(Visit(ANNA, 7, "link")))
    now += waited
    if now <= given_at + LINK_SECONDS:
        assert (await links.visit(proof, "", "")).user == ANNA
        links.use(proof, "")
        assert await problem_of(links, proof) is ProofProblem.USED
    else:
        assert await problem_of(links, proof) is ProofProblem.OLD


async def test_links_of_who_is_forgotten_are_as_unknown_as_invented_ones() -> None:
    links = PersonalLinks(ADDRESS, lambda: 0.0)
    annas, boriss = (proof_in(links.issue(Visit(user, 7, "link"))) for user in (ANNA, BORIS))
    links.forget(ANNA.ref)
    assert await problem_of(links, annas) is ProofProblem.FORGED
    assert (await links.visit(boriss, "", "")).user == BORIS
