import path from 'node:path';
import { AppError } from '@/lib/base/app-error';
import { type Asker, currentAsker } from '@/lib/server/reading/asker';
import { threadCode } from '@/lib/server/reading/thread-code';
import { createThreadPool } from '@/lib/server/reading/thread-pool';
import {
  type FilesToImport,
  type ImportJob,
  type ImportJobs,
  type OtlpBody,
  performImport,
  type ReadImports,
  type ReadOtlp,
  type RunOfSpans,
  type SpansOfRun,
} from './import-jobs';

/**
 * Reads traces of other tools in threads of its own, so that requests are answered meanwhile and checks of folders do not wait.
 * All methods throw the AppError of the job, `too_large` when it reaches a limit, `unavailable` when too many wait, and `too_many`
 * when too many of the asker do.
 */
export interface ImportReader {
  otlp(body: OtlpBody): Promise<ReadOtlp>;
  logs(body: OtlpBody): Promise<ReadOtlp>;
  files(files: FilesToImport): Promise<ReadImports>;
  /** Makes a run of spans. Without `asker`, it is work of the app itself. */
  run(spans: SpansOfRun, asker?: Asker): Promise<RunOfSpans>;
  close(): Promise<void>;
}

export interface ImportLimits {
  /** The time limit for one import; 60 by default. */
  readonly seconds?: number;
  /** The heap limit of one thread in MB. */
  readonly megabytes?: number;
}

/**
 * An input of so few bytes is read here, in some milliseconds. Most requests of exporters are smaller, and do not wait for an import
 * that takes a minute.
 */
const bytesReadHere = 64 * 1024;
const entry = path.join('lib', 'server', 'importing', 'import-thread.ts');

export function openImportReader({ seconds = 60, megabytes = 1_024 }: ImportLimits = {}): ImportReader {
  const pool = createThreadPool({
    code: () => threadCode(entry),
    name: 'callboard-imports',
    reads: 'imports',
    threads: 2,
    deadlineMs: seconds * 1_000,
    memoryMb: megabytes,
    maxWaiting: 500,
    maxOfOwner: 50,
  });

  async function read<Name extends keyof ImportJobs>(
    job: ImportJob & { readonly name: Name },
    bytes: number,
    asker: Asker | undefined,
    what: string,
    nextStep: string,
  ): Promise<ReturnType<ImportJobs[Name]>> {
    // The value is the result of the job with that name, or a copy of it.
    if (bytes <= bytesReadHere) return performImport(job) as ReturnType<ImportJobs[Name]>;
    const outcome = await pool.run(job, asker);
    if (outcome.ok) return outcome.value as ReturnType<ImportJobs[Name]>;
    const limit = outcome.limit === 'time' ? `${seconds} seconds` : `${megabytes} MB of memory`;
    throw new AppError('too_large', `Reading ${what} takes more than ${limit}. ${nextStep}`);
  }

  return {
    otlp: (input) =>
      read(
        { name: 'otlp', input },
        input.bytes.byteLength,
        currentAsker(),
        'the spans of this request',
        'Send fewer spans in one request.',
      ),
    logs: (input) =>
      read(
        { name: 'logs', input },
        input.bytes.byteLength,
        currentAsker(),
        'the logs of this request',
        'Send fewer records in one request.',
      ),
    files: (input) =>
      read({ name: 'files', input }, unitsOf(input), currentAsker(), whatIs(input), 'Import fewer or smaller files.'),
    run: (input, asker) =>
      read(
        { name: 'run', input },
        input.pages.reduce((sum, page) => sum + page.byteLength, 0),
        asker,
        'this trace',
        'Record it as several traces, or leave long attributes out.',
      ),
    close: () => pool.close(),
  };
}

function unitsOf({ files }: FilesToImport): number {
  return files.reduce((sum, [, text]) => sum + text.length, 0);
}

function whatIs({ files }: FilesToImport): string {
  const [first] = files;
  return files.length === 1 && first !== undefined ? `"${first[0]}"` : `these ${files.length} files`;
}

/** One per process. It is kept on `globalThis`, because Next evaluates modules more than once. */
const holder: { callboardImportReader?: ImportReader } = globalThis as never;

export function importReader(): ImportReader {
  holder.callboardImportReader ??= openImportReader();
  return holder.callboardImportReader;
}
