# SPDX-License-Identifier: MIT
"""Renders completions/symsim.bash, the shell completion of `symsim`."""

from collections.abc import Mapping
from typing import Any

# bash splits KEY=VALUE into three words, since `=` is in COMP_WORDBREAKS; for zsh it is one word.
SCRIPT = """\
# SPDX-License-Identifier: MIT
# Completion of symsim for bash, and for zsh by bashcompinit. Made by `symlab reference`.

_symsim_values() {{
    case $1 in
{values}
    esac
}}

_symsim() {{
    local options="{options}"
    local keys="{keys}"
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    local key= start= IFS=$' \\t\\n'
    if [[ $word == "=" ]]; then
        key=$before word=
    elif [[ $before == "=" ]]; then
        key=${{COMP_WORDS[COMP_CWORD-2]}}
    elif [[ $word == *.*=* ]]; then
        key=${{word%%=*}} start=${{word%%=*}}= word=${{word#*=}}
    fi
    if [[ -n $key ]]; then
        COMPREPLY=($(compgen -P "$start" -W "$(_symsim_values "$key")" -- "$word"))
        return
    fi
    case $before in
        {keyed})
            compopt -o nospace 2>/dev/null
            COMPREPLY=($(compgen -S = -W "$keys" -- "$word"))
            return ;;
        {folders})
            compopt -o filenames 2>/dev/null
            IFS=$'\\n'
            COMPREPLY=($(compgen -d -- "$word"))
            return ;;
        {others})
            COMPREPLY=()
            return ;;
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    else
        compopt -o filenames 2>/dev/null
        IFS=$'\\n'
        COMPREPLY=($(compgen -d -- "$word"; compgen -f -X '!*.toml' -- "$word"))
    fi
}}

# zsh knows no compopt: there, no completion is followed by a space, so that no KEY= is.
if [[ -n ${{ZSH_VERSION-}} ]]; then
    complete -o nospace -F _symsim symsim
else
    complete -F _symsim symsim
fi
"""

FOLDER, SETTING = "FOLDER", "KEY=VALUE"


def completion(description: Mapping[str, Any]) -> str:
    """The script. Raises KeyError unless there are options with a folder and a setting."""
    taking: dict[str, list[str]] = {}
    names = []
    for option in description["options"]:
        names += [name for name in (option["short"], option["name"]) if name]
        if option["argument"]:
            taking.setdefault(option["argument"], []).append(option["name"])
    others = [
        option
        for argument, options in taking.items()
        if argument not in (FOLDER, SETTING)
        for option in options
    ]
    values = [
        f'        {key["name"]}) echo "{" ".join(key["values"])}" ;;'
        for key in description["keys"]
        if key["values"]
    ]
    return SCRIPT.format(
        values="\n".join(values),
        options=" ".join(names),
        keys=" ".join(key["name"] for key in description["keys"]),
        keyed="|".join(taking[SETTING]),
        folders="|".join(taking[FOLDER]),
        others="|".join(others),
    )
