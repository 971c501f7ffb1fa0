import { escapeHidden } from '@/lib/base/escape-hidden';
import {
  type Capability,
  type CapabilityChange,
  type CapabilityKind,
  type CapabilityList,
  type ConfirmedItem,
  capabilityKinds,
  changesSince,
} from '@/lib/cards/trust/capability';

const titles: Readonly<Record<CapabilityKind, string>> = {
  command: 'Programs it starts',
  file: 'Files that those programs may run',
  python: 'Python that runs',
  shell: 'Agents that may run any command',
  host: 'Addresses it calls',
  variable: 'Variables of your environment it asks for',
};

/**
 * Prints the list for a terminal. Marks new and changed items when a list was confirmed before. Escapes characters of the
 * folder that could move or hide text.
 */
export function printCapabilities({ items, models }: CapabilityList, last?: readonly ConfirmedItem[]): string {
  const change = last && changesSince(last);
  const lines = capabilityKinds.flatMap((kind) => {
    const ofKind = items.filter((item) => item.kind === kind);
    return ofKind.length === 0 ? [] : [`${titles[kind]}:`, ...ofKind.flatMap((item) => linesOf(item, change?.(item)))];
  });
  if (models.length > 0) {
    const names = [...new Set(models.map(({ model }) => escapeHidden(model)))].join(', ');
    lines.push(
      `Models it names (each is called at the address above that names its provider, otherwise with the settings of this installation): ${names}`,
    );
  }
  return lines.map((line) => `${line}\n`).join('');
}

function linesOf(item: Capability, change: CapabilityChange | undefined): string[] {
  const { kind, name, detail, notes, file, line } = item;
  const mark = change === undefined || change === 'confirmed' ? ' ' : change === 'new' ? '+' : '~';
  const head = kind === 'command' || kind === 'host' ? detail : name;
  const more = kind === 'command' || kind === 'host' || kind === 'variable' ? notes : [`${detail}.`, ...notes];
  const place = name.endsWith('/') ? [] : [`(${escapeHidden(file)}:${line})`];
  return [`${mark} ${escapeHidden(head)}`, `    ${[...more.map(escapeHidden), ...place].join(' ')}`];
}
