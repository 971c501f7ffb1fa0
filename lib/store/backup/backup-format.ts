import { createHash, type Hash } from 'node:crypto';
import { z } from 'zod';

/*
 * A backup, before it is compressed with gzip (docs/deploy.md describes it for operators):
 *
 *   CALLBOARD-BACKUP 1
 *   {"callboard": …, "migrations": […], …}         the header, one line
 *   {"table": "Run", "schema": "public", "columns": […]}
 *   65536\n<bytes> … 0\n                           the rows in COPY's text format, in pieces with their lengths
 *   {"rows": 12}
 *   … more tables
 *   {"tables": 40, "sequences": […], "sha256": …}  the hash is over every byte before this line
 */

const magic = 'CALLBOARD-BACKUP';
const formatNumber = 1;

const header = z.object({
  callboard: z.string(),
  createdAt: z.string(),
  postgres: z.string(),
  /** The migrations that the database had. */
  migrations: z.array(z.string()),
  /** The version of the queue's tables. */
  queue: z.int(),
  /** The keys that the secrets in it are sealed to. */
  secretKeys: z.array(z.string()),
});
const table = z.object({ table: z.string(), schema: z.enum(['public', 'dbos']), columns: z.array(z.string()).min(1) });
const rows = z.object({ rows: z.int() });
const sequence = z.object({
  schema: z.enum(['public', 'dbos']),
  name: z.string(),
  last: z.string(),
  called: z.boolean(),
});
const end = z.object({ tables: z.int(), sequences: z.array(sequence), sha256: z.string() });

export type BackupHeader = z.infer<typeof header>;
export type BackupTable = z.infer<typeof table>;
export type BackupSequence = z.infer<typeof sequence>;

/** A part of a backup, in the order of the file. */
export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'table'; readonly table: BackupTable }
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'rows'; readonly rows: number }
  | { readonly kind: 'end'; readonly sequences: readonly BackupSequence[] };

/** A file that is no whole backup, or one of a newer Callboard. The message is for users. */
export class BackupError extends Error {}

/** Writes parts as bytes. Pieces of data are joined to pieces of at least 64 KiB. */
export async function* writeParts(parts: AsyncIterable<BackupPart>): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256');
  const hashed = (bytes: Buffer) => {
    hash.update(bytes);
    return bytes;
  };
  const line = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);
  let waiting: Buffer[] = [];
  let size = 0;
  const piece = () => {
    const bytes = Buffer.concat([Buffer.from(`${size}\n`), ...waiting]);
    [waiting, size] = [[], 0];
    return hashed(bytes);
  };
  let tables = 0;
  yield hashed(Buffer.from(`${magic} ${formatNumber}\n`));
  for await (const part of parts) {
    switch (part.kind) {
      case 'header':
        yield hashed(line(part.header));
        break;
      case 'table':
        tables += 1;
        yield hashed(line(part.table));
        break;
      case 'data':
        waiting.push(part.bytes);
        size += part.bytes.length;
        if (size >= pieceBytes) yield piece();
        break;
      case 'rows':
        if (size > 0) yield piece();
        yield hashed(Buffer.concat([Buffer.from('0\n'), line({ rows: part.rows })]));
        break;
      case 'end':
        yield line({ tables, sequences: part.sequences, sha256: hash.digest('hex') });
    }
  }
}

const pieceBytes = 64 * 1024;
/** Longer lines and pieces are no backup of ours. One row has at most 1 GB, the limit of Postgres. */
const longestLine = 16 * 1024 * 1024;
const longestPiece = 1100 * 1024 * 1024;

/** Reads what `writeParts` wrote. Throws BackupError, at the latest after the last part, for bytes that it did not write. */
export async function* readParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<BackupPart, void, undefined> {
  const reader = new ByteReader(bytes);
  const hash = createHash('sha256');
  checkFormat(await reader.line(hash, 200));
  yield { kind: 'header', header: parsed(header, await reader.line(hash)) };
  for (let tables = 0; ; tables += 1) {
    const expected = hash.copy().digest('hex');
    const text = await reader.line(hash);
    const last = end.safeParse(jsonOf(text));
    if (last.success) {
      if (last.data.sha256 !== expected || last.data.tables !== tables || !(await reader.isAtEnd())) throw broken();
      yield { kind: 'end', sequences: last.data.sequences };
      return;
    }
    yield { kind: 'table', table: parsed(table, text) };
    for (;;) {
      const size = Number(await reader.line(hash, 20));
      if (!Number.isInteger(size) || size < 0 || size > longestPiece) throw broken();
      if (size === 0) break;
      yield { kind: 'data', bytes: await reader.bytes(size, hash) };
    }
    yield { kind: 'rows', ...parsed(rows, await reader.line(hash)) };
  }
}

function checkFormat(line: string): void {
  const [name, number] = line.split(' ');
  if (name !== magic) throw new BackupError('The file is no backup of Callboard.');
  if (Number(number) === formatNumber) return;
  throw new BackupError(
    `The backup has format ${number}, and this Callboard reads ${formatNumber}. Use a newer Callboard.`,
  );
}

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  const result = schema.safeParse(jsonOf(text));
  if (!result.success) throw broken();
  return result.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function broken(): BackupError {
  return new BackupError('The backup is damaged or incomplete: its content does not match its checksum.');
}

/** Reads lines and pieces from a stream of bytes. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>;

  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns the next line without its end. */
  async line(hash: Hash, longest = longestLine): Promise<string> {
    const before: Buffer[] = [];
    let length = 0;
    for (;;) {
      const at = this.#rest.indexOf(10);
      const found = at === -1 ? this.#rest : this.#rest.subarray(0, at + 1);
      before.push(found);
      length += found.length;
      this.#rest = this.#rest.subarray(found.length);
      if (length > longest) throw broken();
      if (at !== -1) break;
      if (!(await this.#more())) throw broken();
    }
    const all = Buffer.concat(before);
    hash.update(all);
    return all.subarray(0, -1).toString('utf8');
  }

  async bytes(size: number, hash: Hash): Promise<Buffer> {
    const found: Buffer[] = [];
    for (let missing = size; missing > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) throw broken();
      const next = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(next.length);
      missing -= next.length;
      found.push(next);
      hash.update(next);
    }
    return Buffer.concat(found);
  }

  async isAtEnd(): Promise<boolean> {
    return this.#rest.length === 0 && !(await this.#more());
  }

  /** Returns false at the end of the stream. */
  async #more(): Promise<boolean> {
    do {
      const { done, value } = await this.#source.next();
      if (done === true) return false;
      this.#rest = value;
    } while (this.#rest.length === 0);
    return true;
  }
}
