"""The policy as it is written: grants to everyone, to groups and to keys, and assistants whose settings are fixed.

    [everyone]
    methods = ["fif", "hybrid"]
    [everyone.most]
    usd = 0.25
    [groups.research]
    members = ["anna"]
    web = true
    [assistants.helpdesk]
    method = "fif"
    settings = { corpus = "handbook", reader = "openai:gpt-5-mini" }

What a group does not say is as for everyone, what a key does not say is as for its group.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from backtrail.tools.settings.keys import ROLES

Count = Annotated[int, Field(ge=0)]
Bound = Annotated[int, Field(ge=1)]
Patterns = Annotated[list[Annotated[str, Field(min_length=1, max_length=1_000)]], Field(max_length=1_000)]
_STRICT = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Most(BaseModel):
    """Ceilings of one run and of what is sent with it; what is not named has none beside the server's own limits."""

    model_config = _STRICT

    steps: Annotated[int, Field(ge=1, le=200)] | None = None
    calls: Count | None = None
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    usd: Annotated[float, Field(ge=0)] | None = None
    seconds: Annotated[float, Field(gt=0)] | None = None
    question: Bound | None = Field(default=None, description="Characters.")
    picture: Bound | None = Field(default=None, description="Bytes of one picture that comes with a question.")
    upload: Bound | None = Field(default=None, description="Bytes of one file that is to be ingested.")
    uploads: Bound | None = Field(default=None, description="Bytes of all files in all corpora of one owner.")
    files: Bound | None = Field(default=None, description="Files of one corpus.")
    documents: Bound | None = Field(default=None, description="Documents that the files of one corpus may hold.")


class Quota(BaseModel):
    """What may be spent on a day, which begins at midnight UTC."""

    model_config = _STRICT

    runs: Count | None = None
    tokens: Count | None = Field(default=None, description="Input and output together.")
    usd: Annotated[float, Field(ge=0)] | None = None


class Rate(BaseModel):
    """How fast, and how much at once."""

    model_config = _STRICT

    requests: Bound | None = Field(default=None, description="Requests a minute, over all processes.")
    runs: Bound | None = Field(default=None, description="Runs begun a minute, over all processes.")
    at_once: Bound | None = Field(default=None, description="Runs that wait or are at work, over all processes.")


class Grants(BaseModel):
    """What somebody may choose and spend. None says nothing: it is as for the wider circle."""

    model_config = _STRICT

    methods: Patterns | None = None
    corpora: Patterns | None = None
    models: Patterns | None = Field(default=None, description="Names of models; without, those of the host's own.")
    roles: Patterns | None = Field(default=None, description="Roles for which a model may be chosen.")
    settings: Patterns | None = Field(
        default=None, description="Settings that may be chosen, beside corpus, models and budget."
    )
    web: bool | None = Field(default=None, description="Whether the web may be searched.")
    ingest: bool | None = Field(default=None, description="Whether files may be uploaded into corpora of one's own.")
    most: Most = Most()
    quota: Quota = Quota()
    rate: Rate = Rate()
    defaults: dict[str, Any] = Field(default={}, description="Settings where nobody chooses any.")


class Group(Grants):
    """Grants to several."""

    members: Patterns = Field(default=[], description="Holders of keys, and subjects of tokens.")


class FixedAssistant(BaseModel):
    """An assistant of the host's: clients run it, and set nothing but what is free."""

    model_config = _STRICT

    method: str
    about: str = Field(default="", max_length=1_000)
    settings: dict[str, Any] = {}
    free: Patterns = []
    whom: Patterns | None = Field(default=None, alias="for", description="Keys and groups; without, everybody.")


class Policy(BaseModel):
    """The whole file."""

    model_config = _STRICT

    everyone: Grants = Grants()
    groups: dict[str, Group] = {}
    keys: dict[str, Grants] = {}
    assistants: dict[str, FixedAssistant] = {}

    def group_of(self, name: str) -> str:
        """The group that somebody is in; empty when in none."""
        return next((group for group, grants in self.groups.items() if name in grants.members), "")

    def models(self) -> list[str]:
        """Every name and pattern of a model that the host has written, wherever; ``*`` alone names none."""
        grants = [self.everyone, *self.groups.values(), *self.keys.values()]
        listed = [pattern for one in grants for pattern in one.models or []]
        tables = [one.defaults for one in grants] + [one.settings for one in self.assistants.values()]
        chosen = [str(value) for table in tables for key, value in table.items() if key in ROLES]
        return [name for name in [*listed, *chosen] if name != "*"]
