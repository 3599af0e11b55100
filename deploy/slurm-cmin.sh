#!/usr/bin/env bash
# Minimizes a corpus on a Slurm cluster: an array of shards, then a job that merges their results.
#
#   deploy/slurm-cmin.sh EXECUTABLE CORPUS OUT [SHARDS]
#
# All paths have to be on a disk that every node sees. A shard that is lost or requeued continues where it was.
set -euo pipefail
if [ $# -lt 3 ]; then sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2; fi
executable=$(realpath "$1") corpus=$(realpath "$2") out=$(realpath -m "$3") shards=${4:-16}
parts=$out.parts
mkdir -p "$parts"

array=$(sbatch --parsable --requeue --array="1-$shards" --cpus-per-task=1 --job-name=seedsmith-cmin \
    --output="$parts/%a.log" \
    --wrap="seedsmith cmin -j 1 --binary '$executable' --shard \$SLURM_ARRAY_TASK_ID/$shards -o '$parts/'\$SLURM_ARRAY_TASK_ID '$corpus'")
parts_of_all=$(seq -f "'$parts/%.0f'" -s ' ' 1 "$shards")
sbatch --dependency="afterok:${array%%;*}" --cpus-per-task=1 --job-name=seedsmith-merge --output="$parts/merge.log" \
    --wrap="seedsmith merge -o '$out' --crashes '$out.crashes' $parts_of_all"
