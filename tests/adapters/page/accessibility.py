"""What axe-core finds wrong with what is in view."""

from axe_playwright_python.async_playwright import Axe

from tests.wire.browser import Guest


async def violations(guest: Guest) -> list[str]:
    """Return what keeps a player from using the page, with the first place of each."""
    found = (await Axe().run(guest.page)).response["violations"]
    return [f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:200]}" for each in found]
