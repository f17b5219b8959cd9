"""The program in what a model wrote, by the rules of the frameworks."""

import re
from typing import Optional


def last_block(completion: str, language: Optional[str] = None) -> str:
    """The last block of code of a language, or of any. Empty if there is none."""
    tag = re.escape(language) if language is not None else r"[^\n`]*"
    blocks = re.findall(rf"```{tag}[ \t]*\n(.*?)```", completion, re.DOTALL)
    return blocks[-1] if blocks else ""


def last_block_or_all(completion: str, language: str) -> str:
    """The same, but a completion without a block is a program."""
    return last_block(completion, language) if f"```{language}" in completion else completion
