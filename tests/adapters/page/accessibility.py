"""What axe-core finds wrong with what is in view."""

from axe_playwright_python.async_playwright import Axe

from tests.wire.browser import Guest

_FIND = 'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)'
_SCRIPT = Axe().axe_script


async def violations(guest: Guest) -> list[str]:
    """Return what keeps a player from using the page, with the first place of each."""
    if not await guest.page.evaluate("'axe' in window"):  # large: once for each page
        await guest.page.evaluate(_SCRIPT)
    found = await guest.page.evaluate(_FIND)
    return [f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:200]}" for each in found]
