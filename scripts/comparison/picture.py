"""The picture of the README: every tool on every input, by time and by whether its result is as small as the smallest."""

import html
import math
import statistics

from comparison.peers import PEERS

WIDTH, LEFT, RIGHT, TOP, LINE = 760, 176, 24, 64, 34
LABELS = {"libfuzzer": "libFuzzer", "libfuzzer-20000": "libFuzzer -runs=20000", "tmin-check": "tmin, by the check"}
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #24292f } .small { font-size: 11px; fill: #57606a }
.line { stroke: #d0d7de } .dot { stroke: #57606a; fill: none; stroke-width: 1.5 } .least { fill: #57606a }
.ours { stroke: #0969da } .ours.least { fill: #0969da } .mark { stroke: #24292f; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .small { fill: #9198a1 } .line { stroke: #3d444d }
.dot { stroke: #9198a1 } .least { fill: #9198a1 } .ours { stroke: #4493f8 } .ours.least { fill: #4493f8 } .mark { stroke: #e6edf3 } }
"""


def draw(rows):
    """An SVG with a row for each tool and a dot for each input: seconds on a logarithmic scale."""
    done = [row for row in rows if row.bytes is not None and row.seconds]
    tools = [tool for tool in PEERS if any(row.tool == tool for row in done)]
    least = {}
    for row in done:
        least[row.input] = min(row.bytes, least.get(row.input, row.bytes))
    times = [row.seconds for row in done] or [1.0]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    high = max(high, low + 1)
    across = lambda value: LEFT + (math.log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    height = TOP + LINE * len(tools) + 34
    title = "Seconds to the result, for each input; a filled dot is as small as the smallest result of any tool"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{html.escape(title)}">',
        f"<style>{STYLE}</style>", f'<text x="8" y="22">{html.escape(title)}</text>',
        '<text x="8" y="40" class="small">The bar is the median. Results that show another failure, or none, are left out.</text>',
    ]
    for power in range(low, high + 1):
        x = across(10**power)
        parts.append(f'<line class="line" x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{height - 26}"/>')
        parts.append(f'<text class="small" x="{x:.1f}" y="{height - 10}" text-anchor="middle">{10.0**power:g} s</text>')
    for at, tool in enumerate(tools):
        y = TOP + LINE * at + LINE / 2
        own = [row for row in done if row.tool == tool]
        parts.append(f'<text x="8" y="{y + 4:.0f}">{html.escape(LABELS.get(tool, tool))}</text>')
        middle = across(statistics.median(row.seconds for row in own))
        parts.append(f'<line class="mark" x1="{middle:.1f}" y1="{y - 11:.0f}" x2="{middle:.1f}" y2="{y + 11:.0f}"/>')
        for row in own:
            kinds = "dot" + (" ours" if tool.startswith("tmin") else "") + (" least" if row.bytes == least[row.input] else "")
            about = f"{row.input}: {row.bytes:,} bytes in {row.seconds:.2f} s"
            parts.append(f'<circle class="{kinds}" cx="{across(row.seconds):.1f}" cy="{y:.0f}" r="4.5"><title>{html.escape(about)}</title></circle>')
    return "\n".join([*parts, "</svg>", ""])
