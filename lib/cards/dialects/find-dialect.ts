import type { Dialect, DialectForm } from './form/dialect';
import { dialects } from './list';

/** A file that a dialect knows by its place. */
export interface DialectFile {
  readonly dialect: Dialect;
  readonly form: DialectForm | 'document';
}

/** Returns the dialect that knows a file by its place. `undefined` for cards and other files. */
export function dialectFileOf(path: string): DialectFile | undefined {
  for (const dialect of dialects) {
    const form = dialect.formOf(path);
    if (form !== undefined) return { dialect, form };
  }
  return undefined;
}

/** True for the file of an agent or of servers that a dialect has without the file too, such as its main agent. */
export function mayLackItsFile(path: string): boolean {
  return dialectFormOf(path)?.withoutFile === true;
}

/** True if the file of an agent can say this field of a card. AgentCards can say every field of their type. */
export function canSay(path: string, field: string): boolean {
  return dialectFormOf(path)?.fields.some(({ gives }) => gives.includes(field)) ?? true;
}

/** Returns the form of a file that holds an agent or the config of another program. */
export function dialectFormOf(path: string): DialectForm | undefined {
  const form = dialectFileOf(path)?.form;
  return form === 'document' ? undefined : form;
}
