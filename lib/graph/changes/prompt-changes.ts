import { shownUrl } from '@/lib/base/called-address';
import type { AgentCard } from '@/lib/cards/card';
import { calledBy } from '@/lib/cards/project/reachable';
import { urlsOf } from '@/lib/cards/url-placeholder';
import { type Found, listChange } from './capability-change';
import { includedFiles } from './included-files';
import type { AgentPair, Side, Sides } from './project-side';

/** What a prompt says and takes in from elsewhere: words, addresses, files and directives. The words themselves are in the comparison of lines. */
export function promptChanges(
  { before, after }: Sides,
  { name, before: old, after: now, isKept, isMoved }: AgentPair,
): Found[] {
  const about = {
    kind: 'text',
    subject: { agent: name, field: 'instruction' },
    at: { agent: name, path: ['instruction'] },
  } as const;
  const textsOf = (card: AgentCard, { folder }: Side) => [
    card.instruction ?? '',
    ...includedFiles(card, folder).flatMap((path) => {
      const file = folder.get(path);
      return file?.kind === 'text' ? [file.text] : [];
    }),
  ];
  const directives = (card: AgentCard, side: Side) => textsOf(card, side).flatMap(directivesIn);
  const differs = (field: 'instruction' | 'description', words: string): Found[] =>
    isKept && !(isMoved && field === 'instruction') && wordsOf(old[field]) !== wordsOf(now[field])
      ? [
          {
            ...{ kind: 'text', weight: 'same-but-different', sentence: words },
            ...{ subject: { agent: name, field }, at: { agent: name, path: [field] } },
          },
        ]
      : [];
  return [
    ...differs('instruction', `The instruction of agent '${name}' is different.`),
    ...differs(
      'description',
      `The description of agent '${name}' is different.${isCalled(after, name) ? ' The models of agents that call it read it.' : ''}`,
    ),
    ...listChange(about, urlsOf(old.instruction ?? ''), urlsOf(now.instruction ?? ''), (url, isNew) => {
      return `The prompt of agent '${name}' ${isNew ? 'now includes' : 'no longer includes'} the address ${shownUrl(url)}.`;
    }),
    ...listChange(about, includedFiles(old, before.folder), includedFiles(now, after.folder), (file, isNew) => {
      return `The prompt of agent '${name}' ${isNew ? 'now includes' : 'no longer includes'} the file '${file}'.`;
    }),
    ...listChange(about, directives(old, before), directives(now, after), (directive, isNew) => {
      return `The prompt of agent '${name}' ${isNew ? 'now carries' : 'no longer carries'} the directive '${directive}' of fast-agent.`;
    }),
    ...listChange(
      { ...about, at: { agent: name, path: ['messages'] } },
      old.messages,
      now.messages,
      (file, isNew) => {
        return `The conversation of agent '${name}' ${isNew ? 'now begins' : 'no longer begins'} with the messages of '${file}'.`;
      },
      'same-but-different',
    ),
  ];
}

function isCalled({ cards, parsed }: Side, name: string): boolean {
  return [...cards.values()].some((card) => calledBy(card, cards.keys(), parsed.settings).includes(name));
}

/** Space at the ends of lines and of the text says nothing. */
function wordsOf(text: string | undefined): string {
  return (text ?? '').replace(/[ \t\r]+$/gm, '').trim();
}

/** Every repetition has a limit, so that the search takes linear time. */
const directive = /<!--\s{0,20}(fast-agent[- ][\w-]{1,60})|^[ \t]{0,20}(fast-agent-subagents)[ \t]{0,20}\r?$/gm;

function directivesIn(text: string): string[] {
  return text.includes('fast-agent')
    ? [...text.matchAll(directive)].map(([, comment, line]) => comment ?? line ?? '')
    : [];
}
