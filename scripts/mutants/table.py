"""Edges in all and edges after the parser, of all runs of a target, as tables and bars."""

import bisect
import math
import statistics


def after_parser(runs):
    """The edges of functions that no rejected input of any run reaches."""
    functions = runs[0]["edges"]["functions"]
    reached = set()
    for run in runs:
        for edge in (*run["edges"]["rejected"], *run["edges"]["made"]):
            reached.add(bisect.bisect_right(functions, edge) - 1)
    return lambda edge: bisect.bisect_right(functions, edge) - 1 not in reached


def figures(runs):
    """Adds to each run of one target how many edges it reached, in all and after the parser."""
    is_after = after_parser(runs)
    for run in runs:
        run["all"] = len({*run["edges"]["valid"], *run["edges"]["rejected"]})
        run["after"] = sum(map(is_after, run["edges"]["valid"]))


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def geometric(numbers):
    return math.exp(statistics.mean(map(math.log, numbers)))


def table(results, baseline):
    """Prints the figures: `results` are runs by target and arm."""
    print("| target | arm | runs | executed | valid | edges in all | after the parser | files |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for target, arms in results.items():
        plain = arms.get(baseline)
        for arm, runs in arms.items():
            def against(key):
                if plain is None or arm == baseline or not median(plain, key):
                    return ""
                return f" ({median(runs, key) / median(plain, key):.3f})"
            print(
                f"| `{target}` | {arm} | {len(runs)} | {median(runs, 'executed'):,.0f} | {median(runs, 'valid_share'):.1%} "
                f"| {median(runs, 'all'):,.0f}{against('all')} | {median(runs, 'after'):,.0f}{against('after')} "
                f"| {median(runs, 'files'):,.0f} |"
            )


def bars(results, baseline, arm):
    """Prints what the whole of the targets shows of an arm, and returns whether the bars are met."""
    pairs = {target: (arms[baseline], arms[arm]) for target, arms in results.items() if {baseline, arm} <= arms.keys()}
    if not pairs:
        return True

    def ratios(key):
        return [median(ours, key) / max(median(plain, key), 1) for plain, ours in pairs.values()]

    after, everything = ratios("after"), ratios("all")
    better = sum(ratio > 1 for ratio in after)
    below = [
        target for target, (plain, ours) in pairs.items() if all(run["all"] < median(plain, "all") for run in ours)
    ]
    lacking = [
        target for target, (plain, ours) in pairs.items()
        if median(ours, "valid_share") < min(5 * median(plain, "valid_share"), 0.8)
    ]
    wins = sum(
        run["after"] > other["after"]
        for plain, ours in pairs.values() for run, other in zip(ours, plain)
    )
    of = sum(min(len(plain), len(ours)) for plain, ours in pairs.values())
    wanted = math.ceil(0.8 * len(pairs))
    print(f"\n`{arm}` against `{baseline}`, {len(pairs)} targets, ratios of medians:\n")
    print(f"- edges after the parser: geometric mean {geometric(after):.3f} (wanted 1.25), better on {better} (wanted {wanted}), "
          f"in {wins} of {of} pairs of runs")
    print(f"- edges in all: geometric mean {geometric(everything):.3f} (wanted 0.99); all runs below the median of "
          f"`{baseline}` on: {', '.join(below) or 'none'} (wanted none)")
    print(f"- valid share below 5 times `{baseline}`'s and below 80 % on: {', '.join(lacking) or 'none'} (wanted none)")
    return geometric(after) >= 1.25 and better >= wanted and geometric(everything) >= 0.99 and not below and not lacking
