#!/usr/bin/env bash
# Runs a seedsmith command over a folder on a Slurm cluster: an array of shards, then a job that merges their results.
#
#   deploy/slurm.sh OUT SHARDS COMMAND [OPTION...] DIR...
#   deploy/slurm.sh corpus-min 16 cmin --binary ./parse_fuzzer corpus
#
# All paths have to be on a disk that every node sees. A shard that is lost or requeued continues where it was.
# OUT is a folder; the tracefile of coverage; the table of triage. Results of shards are in OUT.parts.
set -euo pipefail
if [ $# -lt 4 ]; then sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2; fi
out=$(realpath -m "$1") shards=$2 command=$3
shift 3
parts=$out.parts
mkdir -p "$parts"
# printf quotes each word for the shell of a job.
quoted_out=$(printf %q "$out") quoted_parts=$(printf %q "$parts")
shard="seedsmith $command -j 1 --shard \$SLURM_ARRAY_TASK_ID/$shards -o $quoted_parts/\$SLURM_ARRAY_TASK_ID$(printf ' %q' "$@")"
# 1 and 3 are about inputs, such as one that does not fail: the shard is complete.
shard="$shard; case \$? in 0|1|3) ;; *) exit 1 ;; esac"
merge="seedsmith merge"
case $command in
coverage) merge="$merge --lcov $quoted_out" ;;
triage) ;;
cmin | prepare) merge="$merge -o $quoted_out --crashes $(printf %q "$out.crashes")" ;;
*) merge="$merge -o $quoted_out" ;;
esac
for number in $(seq 1 "$shards"); do merge="$merge $quoted_parts/$number"; done
if [ "$command" = triage ]; then merge="$merge >$quoted_out"; fi

# What depends on the inputs of all shards is done by a second and a third run of each.
case $command in prepare) rounds=3 ;; repair) rounds=2 ;; *) rounds=1 ;; esac
after=
for round in $(seq 1 $rounds); do
    is_done="[ -e $quoted_out ]"
    array=$(sbatch --parsable --requeue --array="1-$shards" --cpus-per-task=1 --job-name="seedsmith-$command" \
        ${after:+--dependency="afterany:$after"} --output="$parts/log-$round-%a" --wrap="$is_done || { $shard; }")
    after=$(sbatch --parsable --dependency="afterany:${array%%;*}" --cpus-per-task=1 --job-name=seedsmith-merge \
        --output="$parts/log-$round-merge" --wrap="$is_done || $merge")
    after=${after%%;*}
done
echo "$after"
