import { findDueTriggers, type StoredTrigger } from '@/lib/store/triggers';
import { dueAfter, passedTimes } from './due-times';
import { type Fired, fireTrigger, type TriggerPorts } from './fire';

/*
 * Starts schedules that are due. Every worker looks; the clock of the database decides:
 *
 *   nextAt ≤ now ─▶ the last due time up to now ─▶ one transaction: nextAt is still the same? set the next one, store the firing and the run
 *
 * So each due time starts one run, whatever workers die. Of those that passed while no worker was there, only the last one does.
 */

const mostAtOnce = 50;

/** Starts what is due, and returns what came of it. An error of one does not keep the others from starting; it is thrown at the end. */
export async function startDue(ports: TriggerPorts): Promise<readonly Fired[]> {
  const fired: Fired[] = [];
  const errors: unknown[] = [];
  for (const { trigger, now } of await findDueTriggers(ports.store, mostAtOnce)) {
    try {
      const one = await startOne(ports, trigger, now.getTime());
      if (one !== undefined) fired.push(one);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return fired;
}

async function startOne(ports: TriggerPorts, trigger: StoredTrigger, now: number): Promise<Fired | undefined> {
  const { schedule, nextAt, name } = trigger;
  if (schedule === undefined || nextAt === undefined) return undefined;
  const { last, missed } = passedTimes(schedule, nextAt.getTime(), now);
  const next = dueAfter(schedule, now);
  const due = new Date(last).toISOString();
  return await fireTrigger(ports, trigger, {
    key: `due ${due}`,
    missed,
    moves: { from: nextAt, to: next === undefined ? undefined : new Date(next) },
    counts: true,
    values: { kind: 'schedule', trigger: name, due },
  });
}
