#!/usr/bin/env bash
#SBATCH --job-name=grade
#SBATCH --array=1-8
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=01:00:00
#SBATCH --output=grade-%A_%a.log
#
# Grades a class on a Slurm cluster: an array of tasks, each of which judges its part. From the
# folder of the course, where its Python is active, with the words and options of grade:
#
#     sbatch --array=1-20 checks/grading/wrappers/slurm.sh submissions/ --seed 7
#
# Every node must see the folder of results (--results, or else grades/). When the array has ended,
# the same words once without it give the whole, in any format; what is kept is not judged again:
#
#     python run_step.py grade submissions/ --seed 7 --resume --format csv --output grades.csv
#
# A time limit, a lost node, a task that failed: send the same array again. It goes on.
set -u

id=${SLURM_ARRAY_TASK_ID:?"This is for sbatch --array=1-N: see the lines at the top of the script."}
count=${SLURM_ARRAY_TASK_COUNT:-$id}
first=${SLURM_ARRAY_TASK_MIN:-1}
last=${SLURM_ARRAY_TASK_MAX:-$count}
if [ "$first" != 1 ] || [ "$last" != "$count" ]; then
    echo "slurm.sh: the array goes from $first to $last, with $count tasks; it must be 1-N." >&2
    exit 2
fi
if [ ! -f run_step.py ]; then
    echo "slurm.sh: there is no run_step.py in $PWD. Call sbatch in the folder of the course." >&2
    exit 2
fi

python run_step.py grade "$@" --shard "$id/$count" --resume --jobs "${SLURM_CPUS_PER_TASK:-1}"
status=$?
if [ "$status" -eq 1 ]; then
    exit 0  # Some submissions do not pass. That is a result; the task itself has not failed.
fi
exit "$status"
