import { type Convention, isScope } from './convention';

/** Callboard's own export. */
export const callboard: Convention = {
  source: { key: 'callboard-import', isFrom: isScope(/^callboard$/) },
  kind: ({ name }) => (name === 'callboard.hook' ? 'hook' : name.startsWith('callboard.setup ') ? 'setup' : undefined),
  names: { serverName: ['callboard.tool_server'] },
  read: ({ span, reader, kind }) => {
    if (kind === 'hook') return { name: reader.text('callboard.hook'), phase: reader.text('callboard.phase') };
    if (kind !== 'setup') return undefined;
    return { name: span.name.replace(/^callboard\.setup /, ''), phase: reader.text('callboard.setup') };
  },
};
