"""Extraction of messages from the code."""

from pathlib import Path

from bot.locale.messages import messages_in


def found(folder: Path, code: str, name: str = "source.py") -> set[object]:
    (folder / name).write_text(code, "utf-8")
    return {message.id for message in messages_in(folder) if message.id}


def test_messages_are_found_wherever_they_are_used(tmp_path: Path) -> None:
    code = """
LABEL = gettext_noop("Take")
def label(translator, count):
    match count:
        case 1:
            return f"{translator.text('Stay')}; {translator.spans('Leave', mark=BOLD)}"
    return translator.text(
        "a long sentence, "
        "in two lines"
    )
"""
    assert found(tmp_path, code) == {"Take", "Stay", "Leave", "a long sentence, in two lines"}


def test_a_message_is_found_beside_an_argument_called_count(tmp_path: Path) -> None:
    code = 'translator.spans("{name} draws {n}.", name=name, n=str(count))'
    assert found(tmp_path, code) == {"{name} draws {n}."}


def test_a_plural_is_one_message_of_two_texts(tmp_path: Path) -> None:
    assert found(tmp_path, 'translator.count("{n} card", "{n} cards", n)') == {("{n} card", "{n} cards")}


def test_what_only_looks_like_a_message_is_left_alone(tmp_path: Path) -> None:
    code = """
letters = "banana".count("a")
rows = func.count()
other = translator.text(refusals.OVER)
# translator.text("a comment")
text = 'translator.text("a text")'
"""
    assert found(tmp_path, code) == set()


def test_the_sentences_of_a_script_are_found(tmp_path: Path) -> None:
    code = """
const label = t("Take");
toast(t(
  "Dealt to {n}: \\"play\\"", { n }));
split("no sentence"); it("no sentence"); t(word);
"""
    assert found(tmp_path, code, "source.js") == {"Take", 'Dealt to {n}: \\"play\\"'}
