import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Ask, asking } from './asking';

/** As in `app/action.ts`. */
type Result = { readonly ok: true } | { readonly ok: false; readonly code: string; readonly message: string };
type ServerAction = (input: unknown) => Promise<Result>;

/** Imports every server action below the folder `app`, by file and name. */
export async function everyAction(folder: string): Promise<ReadonlyMap<string, Ask>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && readFileSync(path.join(folder, file), 'utf8').startsWith("'use server'"),
  );
  const found = new Map<string, Ask>();
  for (const file of files) {
    const module: Record<string, unknown> = await import(path.join(folder, file));
    const place = file.split(path.sep).join('/').slice(0, -'.ts'.length);
    for (const [name, action] of Object.entries(module))
      found.set(`${place} ${name}`, askAction(action as ServerAction));
  }
  return found;
}

const askAction =
  (action: ServerAction): Ask =>
  async (_name, { input }, full, by) => {
    const result = await asking(by, () => action(input?.(full)));
    return { code: result.ok ? 'ok' : result.code, text: JSON.stringify(result) };
  };
