import { AppError } from '@/lib/base/app-error';
import type { Issue } from '@/lib/base/issue';
import { err, ok, type Result } from '@/lib/base/result';
import type { NamedSecret, UsedPart } from '@/lib/base/uses';
import type { Covered } from '@/lib/cards/closure';
import type { Folder } from '@/lib/cards/folder';
import type { ImportReport } from '@/lib/cards/import-report';
import type { PolicyBreach } from '@/lib/cards/policy/rule';
import { readingOrder } from '@/lib/cards/project/read-folder';
import { tooComplex } from '@/lib/cards/project/too-complex';
import type { CapabilityList } from '@/lib/cards/trust/capability';
import type { Rebased } from '@/lib/editor/rebase';
import type { Picture } from '@/lib/graph/picture';
import type { ReviewAnchor } from '@/lib/graph/review/anchor';
import type { GitHash, GitObject } from '@/lib/interop/git/git-object';
import type { RunReading } from '@/lib/jobs/run-context';
import type { FolderSummary } from '@/lib/store/tree-summaries';
import { currentAsker } from './asker';
import type {
  AgentSurface,
  AnchorQuestion,
  ChatChoices,
  EntryAgent,
  FolderCheck,
  FollowQuestion,
  Points,
  PolicyQuestion,
  ReadingJob,
  ReadingJobs,
  ReviewComparison,
  SurfaceQuestion,
  ThreeFolders,
  TouchedQuestion,
  VersionsQuestion,
} from './reading-jobs';
import { readingThreadCode } from './thread-code';
import { createThreadPool, type JobOutcome } from './thread-pool';

/**
 * Reads folders of users in other threads, so that requests are answered meanwhile. When reading reaches a limit, the result is
 * the Issue `too-complex`. All methods throw AppError `unavailable` when too many folders wait, and
 * `too_many` when too many of the asker do (./asker).
 */
export interface FolderReader {
  /** Checks a folder. When a limit is reached, its Issue is the only one. */
  check(folder: Folder): Promise<FolderCheck>;
  /** Says what becomes of each file and of each field. */
  report(folder: Folder): Promise<Result<ImportReport, Issue>>;
  summarise(folder: Folder): Promise<Result<FolderSummary, Issue>>;
  place(folder: Folder): Promise<Result<Points, Issue>>;
  /** Works like `place`, but in plain rows, for a graph whose layout takes too long. */
  placeInRows(folder: Folder): Promise<Result<Points, Issue>>;
  picture(folder: Folder): Promise<Result<Picture, Issue>>;
  readForRun(folder: Folder): Promise<Result<RunReading, Issue>>;
  /** Lists what runs of the folder would start or call. */
  capabilities(folder: Folder): Promise<Result<CapabilityList, Issue>>;
  /** Tells what a review of the folder covers. */
  covered(folder: Folder): Promise<Result<Covered, Issue>>;
  /** Lists what the agents of the folder use, and the secrets that the folder names. */
  parts(folder: Folder): Promise<Result<readonly (UsedPart | NamedSecret)[], Issue>>;
  /** Finds what breaks rules of the team. */
  breaches(question: PolicyQuestion): Promise<Result<readonly PolicyBreach[], Issue>>;
  /** Returns the text of what a comment of a review is about. `null` if the folder does not have it. */
  anchored(question: AnchorQuestion): Promise<Result<string | null, Issue>>;
  /** Finds in a later folder what comments of a review are about. `null` for what was changed. */
  follow(question: FollowQuestion): Promise<Result<readonly (ReviewAnchor | null)[], Issue>>;
  /** Names the agents that a change touches. */
  touched(question: TouchedQuestion): Promise<Result<readonly string[], Issue>>;
  /** Says what a later folder changes in power, and part by part. */
  compareVersions(question: VersionsQuestion): Promise<Result<ReviewComparison, Issue>>;
  /** Finds the files with a change from `base` to `theirs` that the folder does not have. */
  lost(question: ThreeFolders): Promise<Result<readonly string[], Issue>>;
  /** Merges two folders that began from the same one, file by file and line by line. */
  merge(question: ThreeFolders): Promise<Result<Rebased, Issue>>;
  /** Finds the agent with which runs begin. `null` when there is none. */
  entry(folder: Folder): Promise<Result<EntryAgent | null, Issue>>;
  /** Lists agents and models to choose from. */
  chat(folder: Folder): Promise<Result<ChatChoices, Issue>>;
  /** Shows what the model of an agent is offered. `null` when there is no such agent. */
  surface(question: SurfaceQuestion): Promise<Result<AgentSurface | null, Issue>>;
  exportForFastAgent(folder: Folder): Promise<Result<ReturnType<ReadingJobs['exportForFastAgent']>, Issue>>;
  /** Works like `readZip`. A zip that takes too long is AppError `too_large`. */
  unzip(bytes: Uint8Array): Promise<Folder>;
  /** Works like `readPack`. A pack that takes too long is AppError `too_large`. */
  unpack(bytes: Uint8Array): Promise<ReadonlyMap<GitHash, GitObject>>;
  /** Starts a thread before there is a folder to read. */
  warm(): void;
  close(): Promise<void>;
}

export interface ReadingLimits {
  /** The time limit for one folder. */
  readonly seconds: number;
  /** The number of threads, 2 by default: while one folder is slow, a thread is left for the others. */
  readonly threads?: number;
  /** The heap limit of one thread in MB; 512 by default. */
  readonly megabytes?: number;
}

const maxWaiting = 500;
const maxOfOwner = 50;

/** Opens the reader. `code` returns the script of the threads; tests pass another. */
export function openFolderReader(limits: ReadingLimits, code = readingThreadCode): FolderReader {
  const { seconds, threads = 2, megabytes = 512 } = limits;
  const pool = createThreadPool({
    code,
    name: 'callboard-reading',
    reads: 'folders',
    threads,
    deadlineMs: seconds * 1_000,
    memoryMb: megabytes,
    maxWaiting,
    maxOfOwner,
  });

  async function read<Name extends Exclude<keyof ReadingJobs, 'unzip' | 'unpack'>>(
    name: Name,
    folder: Folder,
    input: unknown = folder,
  ): Promise<Result<Awaited<ReturnType<ReadingJobs[Name]>>, Issue>> {
    const outcome = await pool.run({ name, input }, currentAsker());
    // The value is a copy of the result of the job with that name.
    if (outcome.ok) return ok(outcome.value as Awaited<ReturnType<ReadingJobs[Name]>>);
    return err(issueOf(folder, outcome));
  }

  function issueOf(folder: Folder, outcome: JobOutcome & { ok: false }): Issue {
    const file = readingOrder(folder)[outcome.place];
    return tooComplex(folder, file, outcome.limit === 'time' ? { is: 'time', seconds } : { is: 'memory', megabytes });
  }

  return {
    async check(folder) {
      const outcome = await read('check', folder);
      return outcome.ok
        ? outcome.value
        : { cards: [], issues: [outcome.error], needs: [], models: { models: [], providers: {} }, report: undefined };
    },
    report: (folder) => read('report', folder),
    summarise: (folder) => read('summary', folder),
    place: (folder) => read('places', folder),
    placeInRows: (folder) => read('rows', folder),
    picture: (folder) => read('picture', folder),
    readForRun: (folder) => read('run', folder),
    capabilities: (folder) => read('capabilities', folder),
    covered: (folder) => read('covered', folder),
    parts: (folder) => read('parts', folder),
    breaches: (question) => read('breaches', question.folder, question),
    anchored: (question) => read('anchored', question.folder, question),
    follow: (question) => read('follow', question.folder, question),
    touched: (question) => read('touched', question.folder, question),
    compareVersions: (question) => read('compareVersions', question.folder, question),
    lost: (question) => read('lost', question.folder, question),
    merge: (question) => read('merge', question.folder, question),
    entry: (folder) => read('entry', folder),
    chat: (folder) => read('chat', folder),
    surface: (question) => read('surface', question.folder, question),
    exportForFastAgent: (folder) => read('exportForFastAgent', folder),
    async unzip(bytes) {
      const outcome = await pool.run({ name: 'unzip', input: bytes } satisfies ReadingJob, currentAsker());
      if (outcome.ok) return outcome.value as Folder;
      throw new AppError('too_large', 'The zip takes too long to unpack. Put fewer or smaller files into it.');
    },
    async unpack(bytes) {
      const outcome = await pool.run({ name: 'unpack', input: bytes } satisfies ReadingJob, currentAsker());
      if (outcome.ok) return outcome.value as ReadonlyMap<GitHash, GitObject>;
      throw new AppError('too_large', 'The push takes too long to unpack. Push fewer commits at once.');
    },
    warm: () => pool.warm(),
    close: () => pool.close(),
  };
}
