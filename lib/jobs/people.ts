import type { PendingId, ProjectId, RunId, StepKey } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import type { Grant, ItemEnd, PersonAnswer } from '@/lib/base/pending';
import type { KeptForCall, PeoplePort } from '@/lib/runtime/ports';
import { grantsOfRun } from '@/lib/store/grants';
import { readKept, takeKept, writeKept } from '@/lib/store/kept-for-calls';
import { isOutage } from '@/lib/store/outage';
import { findEnds, findUnrecordedEnds } from '@/lib/store/pending-items';
import { grantsKey, peopleKey } from '@/lib/store/pending-messages';
import type { TakenRun } from '@/lib/store/take-run';
import { answerItems } from './end-items';
import { outageRetryMs, retryDuringOutage } from './retry-outage';
import type { RunContext } from './run-context';

/** How long a run waits in its worker by default, and while somebody watches it. */
const usualHoldMs = 5_000;
const watchedHoldMs = 60_000;
/** A run that has just been resumed waits at least so long, so that answers that come together are read by one stint. */
const resumedHoldMs = 300;

type Surroundings = Pick<RunContext, 'store' | 'clock' | 'log' | 'news'> & {
  readonly liveTexts: Pick<RunContext['liveTexts'], 'isWatched'>;
};

interface Settings {
  /** `approvals.hold_s` of the project. */
  readonly holdSeconds: number | undefined;
  /** Aborted when the run is found to be stopped. */
  readonly stop: AbortController;
}

/**
 * Opens the port through which a run gets answers from the table of items. Rows are read when the run begins to wait, and when a
 * notification says that one has ended. Waiting costs no query. For a resumed run, the answers that it was resumed for are read
 * here. Remembered approvals are read once if the project has any, and when they change.
 */
export async function openPeople(
  context: Surroundings,
  taken: Pick<TakenRun, 'request' | 'projectId' | 'hasGrants' | 'stint' | 'lastSeq'>,
  settings: Settings,
): Promise<PeopleOfRun> {
  const people = new PeopleOfRun(context, taken.request.runId, taken.stint, taken.lastSeq > 0, settings);
  people.listen(taken.projectId);
  await Promise.all([taken.hasGrants && people.readGrants(), taken.lastSeq > 0 && people.readEnds()]);
  return people;
}

export class PeopleOfRun implements PeoplePort {
  private readonly waiting = new Map<PendingId, (end: ItemEnd) => void>();
  /** Ends that the log of the run does not have, as they were when the run was resumed. */
  private readonly known = new Map<PendingId, ItemEnd>();
  private readonly closed = new AbortController();
  private remembered: readonly Grant[] = [];
  private areGrantsOld = false;
  private isNews = false;
  private isReading = false;
  private unsubscribe: readonly (() => void)[] = [];

  constructor(
    private readonly context: Surroundings,
    private readonly runId: RunId,
    private readonly stint: number,
    /** True if a call may have kept something: here, or before the run went on here. */
    private hasKept: boolean,
    private readonly settings: Settings,
  ) {}

  listen(projectId: ProjectId): void {
    const { news } = this.context;
    this.unsubscribe = [
      news.subscribe(peopleKey(this.runId), () => {
        if (this.waiting.size > 0) this.look();
      }),
      news.subscribe(grantsKey(projectId), () => {
        this.areGrantsOld = true;
        this.look();
      }),
    ];
  }

  async readGrants(): Promise<void> {
    this.remembered = await grantsOfRun(this.context.store, this.runId);
  }

  async readEnds(): Promise<void> {
    const { ends, isStopped } = await findUnrecordedEnds(this.context.store, this.runId);
    if (isStopped) this.settings.stop.abort();
    for (const { id, end } of ends) this.known.set(id, end);
  }

  answerOf(item: PendingId, signal: AbortSignal): Promise<ItemEnd> {
    return new Promise((resolve) => {
      const end = (value: ItemEnd) => {
        this.waiting.delete(item);
        signal.removeEventListener('abort', withdraw);
        resolve(value);
      };
      const withdraw = () => end({ outcome: 'withdrawn' });
      if (signal.aborted) return resolve({ outcome: 'withdrawn' });
      const known = this.known.get(item);
      if (known !== undefined) return resolve(known);
      signal.addEventListener('abort', withdraw);
      this.waiting.set(item, end);
      this.look();
    });
  }

  holdMs(): number {
    const { holdSeconds } = this.settings;
    const asked = holdSeconds === undefined ? usualHoldMs : holdSeconds * 1_000;
    const watched = asked > 0 && this.context.liveTexts.isWatched(this.runId) ? watchedHoldMs : 0;
    return Math.max(asked, watched, this.stint > 0 ? resumedHoldMs : 0);
  }

  keptFor(step: StepKey): KeptForCall {
    const { store, log } = this.context;
    const { runId } = this;
    // A call goes on without what cannot be read or written: it is then made again from its beginning.
    const failed = (error: unknown) => {
      log.error({ err: error, run_id: runId }, 'what a call keeps cannot be read or written');
      return undefined;
    };
    return {
      read: () => {
        this.hasKept = true;
        return readKept(store, runId, step).catch(failed);
      },
      write: (value) => {
        this.hasKept = true;
        return writeKept(store, runId, step, value).catch(failed);
      },
    };
  }

  /** Removes what calls have kept, after the run has ended, and returns it. Runs that keep nothing ask nothing of the database. */
  async takeKept(): Promise<readonly Json[]> {
    const { store, log } = this.context;
    if (!this.hasKept) return [];
    return await takeKept(store, this.runId).catch((error: unknown) => {
      log.warn({ err: error, run_id: this.runId }, 'what calls have kept is not removed');
      return [];
    });
  }

  grants(): readonly Grant[] {
    return this.remembered;
  }

  offer(item: PendingId, answer: PersonAnswer): void {
    const { store, clock, log } = this.context;
    // The end is read as that of a person: the transaction tells this run.
    retryDuringOutage(clock, () => answerItems(store, [{ item, answer }])).catch((error: unknown) =>
      log.error({ err: error, run_id: this.runId }, 'a remembered approval could not answer'),
    );
  }

  close(): void {
    this.closed.abort();
    for (const each of this.unsubscribe) each();
  }

  private look(): void {
    this.isNews = true;
    if (!this.isReading) void this.readAll();
  }

  /** Questions that are asked in the same turn of the event loop share a query. */
  private async readAll(): Promise<void> {
    const { clock, log } = this.context;
    this.isReading = true;
    await Promise.resolve();
    while (this.isNews && !this.closed.signal.aborted) {
      this.isNews = false;
      try {
        await this.read();
      } catch (error) {
        if (!isOutage(error)) log.error({ err: error, run_id: this.runId }, 'answers of people cannot be read');
        this.isNews = true;
        await clock.sleep(outageRetryMs, this.closed.signal);
      }
    }
    this.isReading = false;
  }

  private async read(): Promise<void> {
    if (this.areGrantsOld) {
      // Set before the read: grants that change meanwhile are read again.
      this.areGrantsOld = false;
      await this.readGrants().catch((error: unknown) => {
        this.areGrantsOld = true;
        throw error;
      });
    }
    if (this.waiting.size === 0) return;
    const { ends, isStopped } = await findEnds(this.context.store, this.runId, [...this.waiting.keys()]);
    // The items of a run that is stopped are withdrawn. Its end must not begin anything.
    if (isStopped) this.settings.stop.abort();
    for (const { id, end } of ends) this.waiting.get(id)?.(end);
  }
}
