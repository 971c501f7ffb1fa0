import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor';

/*
 * Keeps places of a worker for people of whom it executes nothing. Without it, two people who fill a worker with runs that last hold up
 * everybody else. Half of the slots beyond one share are kept, and each person takes one of them:
 *
 *   12 slots, 10 of one person     ann  ▣▣▣▣▣▣▣▣▣▣      ben  ▣      cat  ▣
 *                                  her share            1 of 2      the kept one
 *
 * DBOS has no such limit, so this stands before the method of DBOS with which a worker takes runs of one partition, and tells it that more
 * slots are busy. queue-shares.test.ts fails when that method changes. Without it, runs are taken as DBOS does.
 */

/** Must be called after each launch of DBOS, in the process that executes the runs. */
export function keepReserve(): void {
  const database = DBOSExecutor.globalInstance?.systemDatabase;
  if (database === undefined) return;
  const take = database.findAndMarkStartableWorkflows.bind(database);
  database.findAndMarkStartableWorkflows = async (queue, worker, version, partition, running = 0, ofIt = 0, owner) =>
    await take(queue, worker, version, partition, running + keptFrom(queue, running, ofIt), ofIt, owner);
}

interface Slots {
  readonly workerConcurrency?: number | undefined;
  readonly partitionWorkerConcurrency?: number | undefined;
}

/** How many free slots a partition does not get now. `running` are executed of all partitions, `ofIt` of this one. */
function keptFrom({ workerConcurrency, partitionWorkerConcurrency }: Slots, running: number, ofIt: number): number {
  if (workerConcurrency === undefined || partitionWorkerConcurrency === undefined) return 0;
  const kept = Math.floor((workerConcurrency - partitionWorkerConcurrency) / 2);
  const free = Math.max(0, workerConcurrency - running);
  if (free > kept) return kept;
  return ofIt === 0 ? Math.max(0, free - 1) : free;
}
