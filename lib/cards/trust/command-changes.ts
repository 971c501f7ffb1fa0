import type { Command } from './command';

type Compared = Pick<Command, 'command' | 'args' | 'cwd' | 'environment' | 'files' | 'moreFiles'>;

/** Says what is different in `after`, one sentence each. Values of the environment are compared, but never shown. */
export function commandChanges(before: Compared, after: Compared): readonly string[] {
  const changes: string[] = [];
  if (before.command !== after.command) changes.push(`The program was ${quote(before.command)}.`);
  for (let index = 0; index < Math.max(before.args.length, after.args.length); index += 1) {
    const [old, now] = [before.args[index], after.args[index]];
    if (old === now) continue;
    if (old === undefined) changes.push(`Argument ${index + 1} is new: ${quote(now)}.`);
    else if (now === undefined) changes.push(`Argument ${index + 1} is gone: ${quote(old)}.`);
    else changes.push(`Argument ${index + 1} was ${quote(old)} and is ${quote(now)}.`);
  }
  if (before.cwd !== after.cwd) changes.push(`Its working folder was ${quote(before.cwd ?? '.')}.`);
  changes.push(...compareNames('Variable', before.environment, after.environment));
  const filesBefore = new Map(before.files.map(({ path, hash }) => [path, hash]));
  const filesAfter = new Map(after.files.map(({ path, hash }) => [path, hash]));
  changes.push(...compareNames('File', [...filesBefore.keys()], [...filesAfter.keys()]));
  for (const [path, hash] of filesAfter) {
    const old = filesBefore.get(path);
    if (old !== undefined && old !== hash) changes.push(`File ${path} has other content.`);
  }
  if (changes.length > 0) return changes;
  const isLong = before.moreFiles > 0 || after.moreFiles > 0;
  return [
    isLong
      ? 'A value of its environment, or a file that is not shown, is different.'
      : 'A value of its environment, or its roots, is different.',
  ];
}

function compareNames(word: string, before: readonly string[], after: readonly string[]): string[] {
  const [old, now] = [new Set(before), new Set(after)];
  return [
    ...after.filter((name) => !old.has(name)).map((name) => `${word} ${name} is new.`),
    ...before.filter((name) => !now.has(name)).map((name) => `${word} ${name} is gone.`),
  ];
}

function quote(word: string | undefined): string {
  return JSON.stringify(word ?? '');
}
