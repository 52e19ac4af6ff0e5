"""A page in WebKit: the events of its inspector as those of WebDriver BiDi, and the scripts of BiDi in it."""

import asyncio
import json
import re
import time
from asyncio import Future
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urldefrag

from tests.wire.webkit.inspector import Facts, Handler, MiniBrowser, RefusedError, Target

MARK = "\u2063tests\u2063"  # begins each line that the driver's own scripts write to the console
OWN_NAME = "/"  # separates a page's name from its own name for a request, which is not unique among pages
# Appended to a language, as its private part: options for which Playwright has no command.
WISHES = "-x-"
CALM = "calm"  # reduced motion
FINGER = "finger"  # a coarse pointer
VALUES = Path(__file__).with_name("values.js").read_text("utf-8")
START = Path(__file__).with_name("start.js").read_text("utf-8")
RESIZES = 60  # so often is a window asked for a size
PAUSE_SECONDS = 0.03

# The names of a document's role in a page, in WebKit and in BiDi.
DESTINATIONS = {
    "Document": "document",
    "StyleSheet": "style",
    "Script": "script",
    "Image": "image",
    "Font": "font",
}
INITIATORS = {"Fetch": "fetch", "XHR": "xmlhttprequest"}

# The pointer of a screen that nobody sees is always fine; scripts at least find a coarse one.
_COARSE = """{
    const { matchMedia } = window;
    window.matchMedia = (query) => matchMedia(query.replace("(pointer: coarse)", "all"));
}"""

_CALL = """async function (given, isKept) {
    try {
        const value = await (%s)(...given.map(this.read));
        const result = this.write(value, isKept);
        return JSON.stringify({ type: "success", result, place: this.place(value) });
    } catch (error) {
        return JSON.stringify({ type: "exception", text: String(error) });
    }
}"""
_WRITE = """async function (value, isKept) {
    try {
        return JSON.stringify({ type: "success", result: this.write(await value, isKept) });
    } catch (error) {
        return JSON.stringify({ type: "exception", text: String(error) });
    }
}"""


class Channel(Protocol):
    """The way of a page's events to Playwright.

    Attributes:
        numbers: The next parts of names.
        realms: The pages and frames in which scripts run, by their realms.
        bar: How much higher a window is than the page in it.
    """

    numbers: "count[int]"
    realms: dict[str, tuple["Page", "Frame"]]
    bar: int

    def tell(self, method: str, params: Facts) -> None: ...


@dataclass
class Frame:
    """A document of a page, and the scripts in it."""

    id: str
    parent: "Frame | None" = None
    realm: str = ""
    script: int = 0  # WebKit's number of the realm
    values: "Future[Facts]" = field(default_factory=Future)  # the object of webkit_values.js there


@dataclass
class Context:
    """One of Playwright's browser contexts: a person's browser, with its own process."""

    id: str
    browser: MiniBrowser
    size: tuple[int, int] = (1280, 800)
    locale: str = ""
    is_dark: bool = False
    scripts: dict[str, str] = field(default_factory=dict)
    pages: list["Page"] = field(default_factory=list)
    hands: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_started: bool = False

    @property
    def language(self) -> str:
        return self.locale.partition(WISHES)[0] or "en-US"

    @property
    def wishes(self) -> list[str]:
        return self.locale.partition(WISHES)[2].split("-")


class Page:
    """A page of a context.

    Attributes:
        handle: The automation's name of the window.
        url: Its address, also after a script has changed it.
        main: The frame of the page itself.
        intercepts: Whether each request waits until Playwright continues it.
        askers: The documents that sent requests, by their own names for those.
    """

    def __init__(self, bidi: Channel, context: Context, handle: str, target: Target) -> None:
        self.id = f"page-{next(bidi.numbers)}"
        self.context = context
        self.handle = handle
        self.url = "about:blank"
        self.main = Frame(self.id)
        self.intercepts = False
        self.askers = dict[str, Target]()

        self._bidi = bidi
        self._target = target
        self._frames = dict[str, Frame]()  # by WebKit's names of them
        self._documents = dict[str, Target]()
        self._current = ""  # the document that is shown
        self._early = dict[str, list[tuple[str, Facts]]]()  # the events of documents that are not shown yet
        self._navigation: str | None = None
        self._going_to = self.url
        self._requests = dict[str, Facts]()
        self._speaking = ""  # the document that an event comes from
        self._is_ready = asyncio.Event()

        target.handle = self._hear
        target.ask("Target.setPauseOnStart", pauseOnStart=True)

    @property
    def document(self) -> Target:
        return self._documents[self._current]

    async def opens(self) -> None:
        """Waits for the first document, and gives the window its size."""
        await self._is_ready.wait()
        await self.resize(*self.context.size)

    # --- events of the inspector ---

    def _hear(self, method: str, params: Facts) -> None:
        match method:
            case "Target.targetCreated":
                self._meet(params["targetInfo"])

            case "Target.dispatchMessageFromTarget":
                document = self._documents.get(params["targetId"])
                if document is not None:
                    document.hear(json.loads(params["message"]))

            case "Target.didCommitProvisionalTarget":
                self._current = params["newTargetId"]
                for early, given in self._early.pop(self._current, []):
                    self._notice(early, given)

            case "Target.targetDestroyed":
                self._early.pop(params["targetId"], None)
                if params["targetId"] != self._current:
                    self._documents.pop(params["targetId"]).close()

    def _meet(self, info: Facts) -> None:
        """Prepares a new document, which waits for that."""
        name = info["targetId"]
        if info["type"] == "page":
            self._documents[name] = self._prepared(name)

            if info.get("isProvisional"):
                self._early[name] = []
            else:
                self._current = name
                self._is_ready.set()

        if info.get("isPaused"):
            self._target.ask("Target.resume", targetId=name)

    def _prepared(self, name: str) -> Target:
        def send(text: str) -> None:
            self._target.ask("Target.sendMessageToTarget", targetId=name, message=text)

        document = self._target.part(send)
        document.handle = self._hears(name)
        for domain in ("Inspector", "Page", "Runtime", "Network", "Console"):
            document.ask(f"{domain}.enable")
        self.dress(document)
        return document

    def dress(self, document: Target) -> None:
        """Gives a document the scripts, language and colours of its context."""
        language = json.dumps(self.context.language)
        scripts = [
            f"{START}({json.dumps(MARK)});",
            f"Object.defineProperty(navigator, 'language', {{ value: {language}, configurable: true }});",
            f"Object.defineProperty(navigator, 'languages', {{ value: [{language}], configurable: true }});",
            *self.context.scripts.values(),
        ]
        if FINGER in self.context.wishes:
            scripts.append(_COARSE)
        document.ask("Page.setBootstrapScript", source="\n".join(scripts))
        document.ask("Network.setExtraHTTPHeaders", headers={"Accept-Language": self.context.language})

        colours = "Dark" if self.context.is_dark else "Light"
        motion = "Reduce" if CALM in self.context.wishes else "NoPreference"
        document.ask("Page.overrideUserPreference", name="PrefersColorScheme", value=colours)
        document.ask("Page.overrideUserPreference", name="PrefersReducedMotion", value=motion)

        if self.intercepts:
            document.ask("Network.setInterceptionEnabled", enabled=True)
            all_but_itself = f"^(?!{re.escape(self._going_to)}$)"  # or each try would take a new process
            document.ask("Network.addInterception", url=all_but_itself, stage="request", isRegex=True)

    def _hears(self, name: str) -> Handler:
        def hear(method: str, params: Facts) -> None:
            self._speaking = name
            if name in self._early and not method.startswith("Network."):
                self._early[name].append((method, params))
            else:
                self._notice(method, params)

        return hear

    def _notice(self, method: str, params: Facts) -> None:
        """Handles an event of the document that is shown."""
        handle = getattr(self, f"_on_{snake_case(method)}", None)
        if handle is not None:
            handle(**params)

    def _tell(self, method: str, **params: object) -> None:
        self._bidi.tell(method, {"context": self.id, "timestamp": _now(), **params})

    def _on_page_frame_navigated(self, frame: Facts) -> None:
        if "parentId" not in frame:
            for each in [each for each in self._frames.values() if each.parent]:
                self._tell("browsingContext.contextDestroyed", context=each.id, parent=self.id)
            self._frames = {frame["id"]: self.main}
            self.url = frame["url"]

        known = self._frame(frame["id"], frame["url"])
        self._end_realm(known)
        navigation = self._navigation if known is self.main else None
        self._tell(
            "browsingContext.navigationCommitted", context=known.id, url=frame["url"], navigation=navigation
        )

    def _frame(self, name: str, url: str = "") -> Frame:
        """Returns a frame by WebKit's name of it; the first one that is named is the page's own."""
        if not self._frames:
            self._frames[name] = self.main

        if name not in self._frames:
            frame = Frame(f"{self.id}-{name}", self.main)
            self._frames[name] = frame
            self._tell(
                "browsingContext.contextCreated",
                context=frame.id,
                parent=self.id,
                url=url,
                userContext=self.context.id,
                children=None,
            )
        return self._frames[name]

    def _end_realm(self, frame: Frame) -> None:
        if frame.realm:
            for realm in (frame.realm, f"{frame.realm}-utility"):
                self._bidi.tell("script.realmDestroyed", {"realm": realm})
            self._bidi.realms.pop(frame.realm, None)
        frame.realm = ""

    def _on_runtime_execution_context_created(self, context: Facts) -> None:
        if context.get("type", "normal") != "normal":
            return

        frame = self._frame(context["frameId"])
        self._end_realm(frame)
        frame.realm = f"realm-{next(self._bidi.numbers)}"
        frame.script = context["id"]
        frame.values = self.document.ask(
            "Runtime.evaluate",
            expression=f"({VALUES})((channel, data) => window[{json.dumps(MARK)}](channel, data))",
            contextId=context["id"],
        )

        self._bidi.realms[frame.realm] = (self, frame)
        self._tell("script.realmCreated", context=frame.id, realm=frame.realm, type="window", origin=self.url)

    def _on_page_dom_content_event_fired(self, timestamp: float) -> None:
        self._tell("browsingContext.domContentLoaded", url=self.url, navigation=self._navigation)

    def _on_page_load_event_fired(self, timestamp: float) -> None:
        self._tell("browsingContext.load", url=self.url, navigation=self._navigation)
        self._navigation = None

    def _on_page_frame_stopped_loading(self, **params: str) -> None:
        frame = self._frame(params["frameId"])
        if frame.parent is not None:
            self._tell("browsingContext.domContentLoaded", context=frame.id, url="", navigation=None)
            self._tell("browsingContext.load", context=frame.id, url="", navigation=None)

    def _on_page_frame_detached(self, **params: str) -> None:
        frame = self._frames.pop(params["frameId"], None)
        if frame is not None and frame.parent is not None:
            self._end_realm(frame)
            self._tell("browsingContext.contextDestroyed", context=frame.id, parent=self.id)

    def _on_console_message_added(self, message: Facts) -> None:
        text = message.get("text", "")
        if text.startswith(MARK):
            _, kind, value = json.loads(text.removeprefix(MARK))
            self._hear_script(kind, value)
        elif message["level"] == "error" and message["source"] in {"javascript", "console-api"}:
            self._tell_error(text, is_thrown=message["source"] == "javascript")

    def _hear_script(self, kind: str, value: str) -> None:
        if kind == "address":
            self.url = value
            self._tell("browsingContext.historyUpdated", url=value)
            return
        source = {"realm": self.main.realm, "context": self.id}
        data = {"type": "string", "value": value}
        self._tell("script.message", channel=kind, data=data, source=source)

    def _tell_error(self, text: str, *, is_thrown: bool) -> None:
        entry: Facts = {
            "level": "error",
            "text": text,
            "source": {"realm": self.main.realm, "context": self.id},
        }
        if is_thrown:
            entry |= {"type": "javascript"}
        else:
            entry |= {"type": "console", "method": "error", "args": [{"type": "string", "value": text}]}
        self._tell("log.entryAdded", **entry)

    # --- the network ---

    def _on_network_request_will_be_sent(self, **params: Any) -> None:
        kind = params.get("type", "Other")
        name = params["requestId"]
        is_document = kind == "Document" and self._is_main(params["frameId"])
        if is_document and self._navigation is None:
            self._navigation = f"navigation-{next(self._bidi.numbers)}"

        now = _now()
        request = {
            "request": f"{self.id}{OWN_NAME}{name}",
            "url": params["request"]["url"],
            "method": params["request"]["method"],
            "headers": _headers(params["request"]["headers"]),
            "cookies": [],
            "headersSize": -1,
            "bodySize": 0,
            "timings": {"requestTime": now, "requestStart": now, "responseStart": now, "responseEnd": now},
            "destination": DESTINATIONS.get(kind, ""),
            "initiatorType": INITIATORS.get(kind, "other"),
        }
        frame = self.main if is_document else self._frame(params["frameId"])
        self.askers[name] = self._documents[self._speaking]
        waits = self.intercepts and not (is_document and request["url"] == self._going_to)
        self._requests[name] = {
            "context": frame.id,
            "navigation": self._navigation if is_document else None,
            "redirectCount": 0,
            "isBlocked": waits,
            "initiator": {"type": "other"},
            "request": request,
        }
        if not waits:
            self._tell("network.beforeRequestSent", **self._requests[name])

    def _is_main(self, frame: str) -> bool:
        is_early = self._speaking in self._early  # only pages themselves change their process
        return is_early or not self._frames or self._frames.get(frame) is self.main

    def _on_network_request_intercepted(self, **params: Any) -> None:
        known = self._requests.get(params["requestId"])
        if known is None:
            document = self._documents[self._speaking]
            document.ask("Network.interceptContinue", requestId=params["requestId"], stage="request")
        else:
            self._tell("network.beforeRequestSent", **known, intercepts=["intercept"])

    def _on_network_response_received(self, **params: Any) -> None:
        known = self._requests.get(params["requestId"])
        if known is None:
            return

        given = params["response"]
        known["response"] = {
            "url": given["url"],
            "status": given["status"],
            "statusText": given["statusText"],
            "headers": _headers(given["headers"]),
            "protocol": "http/1.1",
            "mimeType": given["mimeType"],
            "headersSize": 0,
            "bodySize": 0,
        }
        self._tell("network.responseStarted", **known)

    def _on_network_loading_finished(self, **params: Any) -> None:
        known = self._requests.pop(params["requestId"], None)
        if known is not None and "response" in known:
            self._tell("network.responseCompleted", **known)

    def _on_network_loading_failed(self, **params: Any) -> None:
        known = self._requests.pop(params["requestId"], None)
        is_elsewhere = known is not None and known["navigation"] is not None and params.get("canceled")
        if known is None or is_elsewhere:  # another process continues with it
            return

        self._tell("network.fetchError", **known, errorText=params["errorText"])
        if known["navigation"] is not None:
            url = known["request"]["url"]
            self._tell("browsingContext.navigationFailed", url=url, navigation=known["navigation"])
            self._navigation = None

    # --- commands of Playwright ---

    async def navigate(self, url: str) -> Facts:
        """Goes to an address, perhaps on the same page."""
        navigation = f"navigation-{next(self._bidi.numbers)}"
        there, fragment = urldefrag(url)
        is_here = bool(fragment) and urldefrag(self.url)[0] == there

        if is_here:
            self.url = url
            await self.document.ask("Page.navigate", url=url)
            self._tell("browsingContext.fragmentNavigated", url=url, navigation=navigation)
        else:
            self._navigation = navigation
            self._going_to = url
            if self.intercepts:
                self.dress(self.document)
            self.context.browser.automation.ask(
                "Automation.navigateBrowsingContext", handle=self.handle, url=url
            )  # answers when all is loaded

        return {"navigation": navigation, "url": url}

    async def resize(self, width: int, height: int) -> None:
        """Gives the page a size, by the size of the window around it."""
        frame = [width, height + self._bidi.bar]

        for _ in range(RESIZES):
            await self.context.browser.automation.ask(
                "Automation.setWindowFrameOfBrowsingContext",
                handle=self.handle,
                origin={"x": 0, "y": 0},
                size={"width": frame[0], "height": frame[1]},
            )
            if await self._inner_size() == (width, height):
                self._bidi.bar = frame[1] - height
                return

            await asyncio.sleep(PAUSE_SECONDS)
            inner = await self._inner_size()
            frame = [frame[0] + width - inner[0], frame[1] + height - inner[1]]

        raise RefusedError(f"no window is {width} by {height}")

    async def _inner_size(self) -> tuple[int, int]:
        found = await self.document.ask("Runtime.evaluate", expression="innerWidth + ' ' + innerHeight")
        width, height = found["result"]["value"].split()
        return int(width), int(height)

    async def call(self, frame: Frame, declaration: str, given: list[Facts], *, is_kept: bool) -> Facts:
        """Calls a function in a frame; returns its result, or its exception, as BiDi writes them."""
        answered = await self.document.ask(
            "Runtime.callFunctionOn",
            objectId=await self._values(frame),
            functionDeclaration=_CALL % declaration,
            arguments=[{"value": given}, {"value": is_kept}],
            returnByValue=True,
            awaitPromise=True,
            emulateUserGesture=True,
        )
        return self._result(answered, frame)

    async def evaluate(self, frame: Frame, expression: str, *, is_kept: bool) -> Facts:
        """Evaluates an expression in a frame."""
        found = await self.document.ask(
            "Runtime.evaluate", expression=expression, contextId=frame.script, emulateUserGesture=True
        )
        value = found["result"]
        if found.get("wasThrown"):
            return _exception(value.get("description", "?"))

        given = {"objectId": value["objectId"]} if "objectId" in value else {"value": value.get("value")}
        answered = await self.document.ask(
            "Runtime.callFunctionOn",
            objectId=await self._values(frame),
            functionDeclaration=_WRITE,
            arguments=[given, {"value": is_kept}],
            returnByValue=True,
            awaitPromise=True,
        )
        return self._result(answered, frame)

    async def hears_of_network(self, *, is_offline: bool) -> None:
        """Has all documents of the page hear that the network is gone, or is back."""
        event = "offline" if is_offline else "online"
        for frame in self.frames():
            await self.evaluate(frame, f"dispatchEvent(new Event('{event}'))", is_kept=False)

    def frames(self) -> list[Frame]:
        """Returns the page's own frame, and all in it."""
        return [self.main, *(each for each in self._frames.values() if each is not self.main)]

    async def forget(self, frame: Frame, handles: list[str]) -> None:
        """Releases values that Playwright no longer needs."""
        await self.document.ask(
            "Runtime.callFunctionOn",
            objectId=await self._values(frame),
            functionDeclaration="function (handles) { this.forget(handles); }",
            arguments=[{"value": handles}],
        )

    async def _values(self, frame: Frame) -> str:
        found = await frame.values
        return str(found["result"]["objectId"])

    def _result(self, answered: Facts, frame: Frame) -> Facts:
        if answered.get("wasThrown"):
            return _exception(answered["result"].get("description", "?"))

        result: Facts = json.loads(answered["result"]["value"])
        if result["type"] == "exception":
            return _exception(result["text"])

        written = result["result"]
        if written["type"] == "window":
            children = [each for each in self._frames.values() if each.parent is frame]
            place = result.get("place", -1)
            shown = children[place] if 0 <= place < len(children) else self.main
            written["value"] = {"context": shown.id}

        return {**result, "realm": frame.realm}


def _exception(text: str) -> Facts:
    return {"type": "exception", "exceptionDetails": {"text": text}}


def _headers(headers: Mapping[str, str]) -> list[Facts]:
    return [{"name": name, "value": {"type": "string", "value": text}} for name, text in headers.items()]


def _now() -> float:
    return time.time() * 1000


def snake_case(method: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", method).replace(".", "_").lower()
