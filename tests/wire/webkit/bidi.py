"""Answers Playwright's commands in WebDriver BiDi with MiniBrowsers."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from aiohttp import web

from tests.wire.webkit.inspector import Facts, MiniBrowser, RefusedError, Target
from tests.wire.webkit.page import MARK, OWN_NAME, Context, Frame, Page, snake_case

SCREEN_PROGRAM = "Xvfb"
SCREEN = "2600x1800x24"
WITHOUT_GRAPHICS_CARD = {"WEBKIT_DISABLE_COMPOSITING_MODE": "1"}  # imitating one takes a third of all time
NARROW = "* { min-width: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px; }"  # or none is a phone
END_SECONDS = 0.05
ANSWER_SECONDS = 60.0  # in which every command is carried out, or refused

# The keys that WebDriver numbers, as WebKit names them.
KEYS = {
    "\ue003": "Backspace",
    "\ue004": "Tab",
    "\ue006": "Enter",
    "\ue007": "Enter",
    "\ue008": "Shift",
    "\ue009": "Control",
    "\ue00a": "Alternate",
    "\ue00c": "Escape",
    "\ue00d": "Space",
    "\ue00e": "PageUp",
    "\ue00f": "PageDown",
    "\ue010": "End",
    "\ue011": "Home",
    "\ue012": "LeftArrow",
    "\ue013": "UpArrow",
    "\ue014": "RightArrow",
    "\ue015": "DownArrow",
    "\ue017": "Delete",
}
BUTTONS = ("Left", "Middle", "Right")


class Bidi:
    """Answers Playwright's commands."""

    def __init__(
        self, connection: web.WebSocketResponse, environment: Mapping[str, str], end: asyncio.Event
    ) -> None:
        self.numbers = count(1)
        self.realms = dict[str, tuple[Page, Frame]]()
        self.bar = 0  # how much higher a window is than the page in it
        self._connection = connection
        self._environment = environment
        self._end = end
        self._contexts = dict[str, Context]()
        self._pages = dict[str, Page]()
        self._tasks = set[asyncio.Task[None]]()
        self._outgoing = asyncio.Queue[str]()
        self._held = dict[str, Facts]()  # the keys and buttons that are pressed, by their device

    def tell(self, method: str, params: Facts) -> None:
        """Sends an event."""
        self._send({"type": "event", "method": method, "params": params})

    def _send(self, message: Facts) -> None:
        self._outgoing.put_nowait(json.dumps(message))

    async def _write(self) -> None:
        while not self._connection.closed:
            await self._connection.send_str(await self._outgoing.get())

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def serve(self) -> None:
        """Carries out commands until the connection ends."""
        self._start(self._write())
        self._start(self._end_with())
        async for message in self._connection:
            self._start(self._carry_out(json.loads(message.data)))
        await self.stop()

    async def _end_with(self) -> None:
        """Closes the connection once Playwright has asked for the end, and has its answer."""
        await self._end.wait()
        await asyncio.sleep(END_SECONDS)
        await self._connection.close()

    async def stop(self) -> None:
        for context in self._contexts.values():
            await context.browser.stop()

    async def _carry_out(self, command: Facts) -> None:
        number = command["id"]
        carry_out = getattr(self, f"_{snake_case(command['method'])}", None)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):  # Playwright itself would wait for ever
                result = {} if carry_out is None else await carry_out(command["params"]) or {}
        except (RefusedError, LookupError, OSError) as error:
            message = str(error) or repr(error)
            self._send({"type": "error", "id": number, "error": "unknown error", "message": message})
        else:
            self._send({"type": "success", "id": number, "result": result})

    def _chosen(self, params: Facts) -> list[Context]:
        """Returns the contexts that a command means."""
        if "userContexts" in params:
            return [self._contexts[each] for each in params["userContexts"] if each in self._contexts]
        contexts = params.get("contexts", [params.get("context")])
        return list({id(page.context): page.context for page in map(self._page, contexts) if page}.values())

    def _page(self, context: str | None) -> Page | None:
        return self._pages.get("-".join((context or "").split("-")[:2]))

    # --- the session, and its contexts ---

    async def _session_new(self, params: Facts) -> Facts:
        capabilities = {
            "browserName": "webkit",
            "browserVersion": "2",
            "userAgent": "",
            "acceptInsecureCerts": False,
        }
        return {"sessionId": "session", "capabilities": capabilities}

    async def _browser_create_user_context(self, params: Facts) -> Facts:
        name = f"context-{next(self.numbers)}"
        self._contexts[name] = Context(name, MiniBrowser())
        return {"userContext": name}

    async def _browser_remove_user_context(self, params: Facts) -> None:
        context = self._contexts.pop(params["userContext"])
        await context.browser.stop()
        for page in context.pages:
            self._forget(page)

    def _forget(self, page: Page) -> None:
        self._pages.pop(page.id, None)
        self.tell("browsingContext.contextDestroyed", {"context": page.id})

    async def _browser_close(self, params: Facts) -> None:
        await self.stop()
        self._end.set()

    async def _emulation_set_locale_override(self, params: Facts) -> None:
        for context in self._chosen(params):
            context.locale = params["locale"]

    async def _emulation_set_media_features_override(self, params: Facts) -> None:
        for context in self._chosen(params):
            context.is_dark = params["features"].get("prefers-color-scheme") == "dark"
            self._dress(context)

    async def _emulation_set_network_conditions(self, params: Facts) -> None:
        is_offline = params["networkConditions"] is not None
        for context in self._chosen(params):
            network = context.browser.network
            if is_offline:
                network.cut()
            else:
                network.mend()

            for page in context.pages:
                await page.hears_of_network(is_offline=is_offline)

    async def _script_add_preload_script(self, params: Facts) -> Facts:
        name = f"script-{next(self.numbers)}"
        given = json.dumps(params.get("arguments", []))
        script = f"""({params["functionDeclaration"]})(...{given}.map(({{ value }}) =>
            (data) => window[{json.dumps(MARK)}](value.channel, data)));"""
        for context in self._chosen(params):
            context.scripts[name] = script
            self._dress(context)
        return {"script": name}

    async def _script_remove_preload_script(self, params: Facts) -> None:
        for context in self._contexts.values():
            if context.scripts.pop(params["script"], None):
                self._dress(context)

    def _dress(self, context: Context) -> None:
        for page in context.pages:
            page.dress(page.document)

    async def _storage_get_cookies(self, params: Facts) -> Facts:
        context = self._contexts[params["partition"]["userContext"]]
        found = await context.pages[0].document.ask("Page.getCookies")
        return {"cookies": [_cookie(each) for each in found["cookies"]]}

    # --- pages ---

    async def _browsing_context_create(self, params: Facts) -> Facts:
        context = self._contexts[params["userContext"]]
        if not context.is_started:
            context.is_started = True
            await context.browser.start(self._environment)

        handle, target = await context.browser.open_page()
        page = Page(self, context, handle, target)
        context.pages.append(page)
        self._pages[page.id] = page
        self.tell(
            "browsingContext.contextCreated",
            {
                "context": page.id,
                "url": "about:blank",
                "userContext": context.id,
                "children": None,
                "parent": None,
                "originalOpener": None,
            },
        )

        await page.opens()
        return {"context": page.id}

    async def _browsing_context_set_viewport(self, params: Facts) -> None:
        size = (params["viewport"]["width"], params["viewport"]["height"])
        page = self._page(params.get("context"))
        if page is not None:
            await page.resize(*size)

        for context in self._chosen(params):
            context.size = size

    async def _browsing_context_navigate(self, params: Facts) -> Facts:
        return await self._pages[params["context"]].navigate(params["url"])

    async def _browsing_context_reload(self, params: Facts) -> Facts:
        await self._pages[params["context"]].document.ask("Page.reload")
        return {"navigation": None, "url": ""}

    async def _browsing_context_traverse_history(self, params: Facts) -> None:
        page = self._pages[params["context"]]
        way = "goBackInBrowsingContext" if params["delta"] < 0 else "goForwardInBrowsingContext"
        await page.context.browser.automation.ask(f"Automation.{way}", handle=page.handle)

    async def _browsing_context_close(self, params: Facts) -> None:
        page = self._pages[params["context"]]
        page.context.pages.remove(page)
        with suppress(RefusedError):  # a browser ends with its last window, and has no answer then
            await page.context.browser.automation.ask("Automation.closeBrowsingContext", handle=page.handle)
        self._forget(page)

    async def _browsing_context_capture_screenshot(self, params: Facts) -> Facts:
        clip = {each: params["clip"][each] for each in ("x", "y", "width", "height")}
        system = "Viewport" if params.get("origin") == "viewport" else "Page"
        taken = await self._pages[params["context"]].document.ask(
            "Page.snapshotRect", **clip, coordinateSystem=system
        )
        return {"data": taken["dataURL"].partition(",")[2]}

    async def _browsing_context_locate_nodes(self, params: Facts) -> Facts:
        page, frame = self._frame_of(params)
        children = [each.id for each in page.frames() if each.parent is frame]
        place = children.index(params["locator"]["value"]["context"])
        find = f"() => document.querySelectorAll('iframe, frame')[{place}]"
        found = await page.call(frame, find, [], is_kept=True)
        return {"nodes": [found["result"]]}

    # --- scripts ---

    def _frame_of(self, target: Facts) -> tuple[Page, Frame]:
        if "realm" in target:
            return self.realms[target["realm"].removesuffix("-utility")]
        page = self._page(target["context"])
        if page is None:
            raise LookupError("no such frame")
        return page, next(each for each in page.frames() if each.id == target["context"])

    async def _script_evaluate(self, params: Facts) -> Facts:
        page, frame = self._frame_of(params["target"])
        is_kept = params.get("resultOwnership") == "root"
        return _in_world(await page.evaluate(frame, params["expression"], is_kept=is_kept), params)

    async def _script_call_function(self, params: Facts) -> Facts:
        page, frame = self._frame_of(params["target"])
        is_kept = params.get("resultOwnership") == "root"
        given = params.get("arguments", [])
        called = await page.call(frame, params["functionDeclaration"], given, is_kept=is_kept)
        return _in_world(called, params)

    async def _script_disown(self, params: Facts) -> None:
        with suppress(LookupError):
            page, frame = self._frame_of(params["target"])
            await page.forget(frame, params["handles"])

    # --- the network ---

    async def _network_add_intercept(self, params: Facts) -> Facts:
        for page in self._pages.values():
            if page.id in params.get("contexts", [page.id]) and "beforeRequestSent" in params["phases"]:
                page.intercepts = True
                page.dress(page.document)
        return {"intercept": "intercept"}

    async def _network_remove_intercept(self, params: Facts) -> None:
        for page in self._pages.values():
            page.intercepts = False
            page.document.ask("Network.setInterceptionEnabled", enabled=False)

    async def _network_continue_request(self, params: Facts) -> None:
        asker, name = self._asked_by(params)
        await asker.ask("Network.interceptContinue", requestId=name, stage="request")

    async def _network_fail_request(self, params: Facts) -> None:
        asker, name = self._asked_by(params)
        await asker.ask("Network.interceptRequestWithError", requestId=name, errorType="General")

    async def _network_provide_response(self, params: Facts) -> None:
        headers = {each["name"]: each["value"]["value"] for each in params.get("headers", [])}
        kinds = [value for name, value in headers.items() if name.lower() == "content-type"]

        asker, name = self._asked_by(params)
        await asker.ask(
            "Network.interceptRequestWithResponse",
            requestId=name,
            content=params["body"]["value"],
            base64Encoded=True,
            mimeType=(kinds or ["text/plain"])[0].partition(";")[0],
            status=params["statusCode"],
            statusText=params.get("reasonPhrase", ""),
            headers=headers,
        )

    async def _network_get_data(self, params: Facts) -> Facts:
        asker, name = self._asked_by(params)
        found = await asker.ask("Network.getResponseBody", requestId=name)
        kind = "base64" if found["base64Encoded"] else "string"
        return {"bytes": {"type": kind, "value": found["body"]}}

    def _asked_by(self, params: Facts) -> tuple[Target, str]:
        """Returns the document that sent a request, and its own name for it."""
        page, _, name = params["request"].partition(OWN_NAME)
        return self._pages[page].askers[name], name

    # --- pointers and keys ---

    async def _input_perform_actions(self, params: Facts) -> None:
        page = self._page(params["context"])
        assert page is not None
        async with page.context.hands:  # Playwright does not wait for a press before it lets go
            for source in params["actions"]:
                for action in source["actions"]:
                    await self._perform(page, source, action)

    async def _perform(self, page: Page, source: Facts, action: Facts) -> None:
        if source["type"] == "pointer":
            await self._move_pointer(page, action)
            return
        step = self._step(page, source, action)
        await page.context.browser.automation.ask(
            "Automation.performInteractionSequence",
            handle=page.handle,
            inputSources=[{"sourceId": step["sourceId"], "sourceType": step["sourceId"]}],
            steps=[{"states": [step]}],
        )

    async def _move_pointer(self, page: Page, action: Facts) -> None:
        pointer = self._held.setdefault(f"{page.id} Mouse", {"position": {"x": 0, "y": 0}, "button": "None"})
        ways = {"pointerMove": "Move", "pointerDown": "Down", "pointerUp": "Up"}

        if action["type"] == "pointerMove":
            position = {"x": round(action["x"]), "y": round(action["y"])}
            if position == pointer["position"]:
                return  # nothing moves, and WebKit would wait for it
            pointer["position"] = position
        else:
            pointer["button"] = BUTTONS[action["button"]]

        await page.context.browser.automation.ask(
            "Automation.performMouseInteraction",
            handle=page.handle,
            interaction=ways[action["type"]],
            modifiers=[],
            **pointer,
        )

        if action["type"] == "pointerUp":
            pointer["button"] = "None"

    def _step(self, page: Page, source: Facts, action: Facts) -> Facts:
        """Returns the state of a device after an action."""
        kind = {"key": "Keyboard", "wheel": "Wheel"}[source["type"]]
        state: Facts = self._held.setdefault(f"{page.context.id} {kind}", {"sourceId": kind})

        match action["type"]:
            case "keyDown" if action["value"] in KEYS:
                state["pressedVirtualKeys"] = [*state.get("pressedVirtualKeys", []), KEYS[action["value"]]]
            case "keyDown":
                state["pressedCharKey"] = action["value"]
            case "keyUp" if action["value"] in KEYS:
                state["pressedVirtualKeys"] = [
                    each for each in state.get("pressedVirtualKeys", []) if each != KEYS[action["value"]]
                ]
            case "keyUp":
                state.pop("pressedCharKey", None)
            case "scroll":
                place = {"x": action["x"], "y": action["y"]}
                delta = {"width": action["deltaX"], "height": action["deltaY"]}
                return {**state, "location": place, "origin": "Viewport", "scrollDelta": delta}

        return dict(state)


def _cookie(found: Facts) -> Facts:
    as_they_are = {name: found[name] for name in ("name", "domain", "path", "httpOnly", "secure")}
    value = {"type": "string", "value": found["value"]}
    return {**as_they_are, "value": value, "sameSite": found["sameSite"].lower(), "size": 0}


def _in_world(result: Facts, params: Facts) -> Facts:
    """Names the realm of a sandbox, which is not a separate world here."""
    if "sandbox" in params["target"] and "realm" in result:
        return {**result, "realm": f"{result['realm']}-utility"}
    return result


async def _serve(config: str) -> None:
    """Serves BiDi at an address that it prints, as Firefox does.

    `config` is the folder of a user's settings.
    """
    styles = Path(config) / "gtk-3.0" / "gtk.css"
    styles.parent.mkdir()
    styles.write_text(NARROW)

    read, write = os.pipe()
    screen = await asyncio.create_subprocess_exec(
        *(SCREEN_PROGRAM, "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp"),
        pass_fds=[write],
        stdout=DEVNULL,
        stderr=DEVNULL,
    )
    os.close(write)
    display = (await asyncio.to_thread(os.read, read, 16)).decode().strip()
    environment = {"DISPLAY": f":{display}", "XDG_CONFIG_HOME": config, **WITHOUT_GRAPHICS_CARD}
    end = asyncio.Event()

    async def connect(request: web.Request) -> web.WebSocketResponse:
        connection = web.WebSocketResponse(max_msg_size=0)
        await connection.prepare(request)
        await Bidi(connection, environment, end).serve()
        end.set()
        return connection

    application = web.Application()
    application.router.add_get("/{path:.*}", connect)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    sys.stderr.write("WebDriver BiDi listening on ws://{}:{}\n".format(*runner.addresses[0]))
    sys.stderr.flush()

    await end.wait()
    await runner.cleanup()
    screen.terminate()
    await screen.wait()


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        asyncio.run(_serve(folder))
