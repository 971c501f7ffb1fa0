import type { ClosurePart } from './closure';

/** So many parts are named. */
const most = 3;

/** Says which change ended an approval: what differs between the approved closure and that of a later version, and whose change it is. */
export function staleWords(
  before: readonly ClosurePart[],
  after: readonly ClosurePart[],
  change: { readonly by: string; readonly version: number },
): string {
  const old = new Map(before.map((part) => [keyOf(part), part]));
  const now = new Map(after.map((part) => [keyOf(part), part]));
  const parts = [...new Map([...old, ...now]).keys()].flatMap((key) => {
    const [was, is] = [old.get(key), now.get(key)];
    const part = is ?? was;
    return part === undefined || was?.[2] === is?.[2] ? [] : [part];
  });
  const files = parts.filter(([kind]) => kind !== 'server').map(([, name]) => name);
  const servers = parts.filter(([kind]) => kind === 'server').map(([, name]) => `'${name}'`);
  const version = `(version ${change.version})`;
  const words = [
    ...(files.length > 0 ? [`a change of ${listed(files)} by ${change.by} ${version}`] : []),
    ...(servers.length > 0
      ? [`other tools of the server ${listed(servers)}${files.length > 0 ? '' : ` ${version}`}`]
      : []),
  ];
  return `${words.join(' and ') || `a change by ${change.by} ${version}`} made it stale`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

function keyOf([kind, name]: ClosurePart): string {
  return `${kind} ${name}`;
}
