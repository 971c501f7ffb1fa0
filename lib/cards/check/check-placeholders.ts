import type { Issue } from '@/lib/base/issue';
import { isRecord } from '@/lib/base/json';
import { nearName } from '@/lib/base/near-name';
import { agentView, asksModel } from '@/lib/cards/agent-view';
import type { Folder } from '@/lib/cards/folder';
import { LineIndex } from '@/lib/cards/line-index';
import { makeIssue } from '@/lib/cards/read/file-report';
import type { CardReading } from '@/lib/cards/read/read-card';

/** The placeholders of Callboard and of fast-agent (its resources/shared/agent_cards.md, section on placeholders). */
const known: ReadonlySet<string> = new Set([
  ...['currentDate', 'agentName', 'agentType', 'serverInstructions', 'agentSkills', 'env'],
  ...['hostPlatform', 'pythonVer', 'workspaceRoot', 'clientDisplay', 'agentCardPath', 'agentCardDir'],
  ...['executionEnvironment', 'executionEnvironmentName', 'executionEnvironmentKind', 'executionEnvironmentProvider'],
  ...['executionEnvironmentShell', 'executionEnvironmentCwd', 'modelReferences', 'model_specific'],
  ...['agentInternalResources'],
]);
/** Matches a name in double braces. Other text in braces may be a template that the agent writes about. */
const placeholder = /(\\?)\{\{[ \t]{0,8}([A-Za-z_]\w{0,63})[ \t]{0,8}\}\}/g;

/** Reports unknown `{{names}}` in instructions, which the model would read as they are. */
export function checkPlaceholders(folder: Folder, cards: readonly CardReading[]): Issue[] {
  return cards.flatMap(({ card, name }) => {
    // In a router's instruction doubled braces stand for braces, so a name in them may be text.
    if (card === undefined || card.type === 'router') return [];
    if (!asksModel(card) || !card.instruction?.includes('{{')) return [];
    const file = folder.get(card.file);
    if (file?.kind !== 'text') return [];
    const { requestParams } = agentView(card);
    const values = requestParams.template_vars;
    const own = [...(isRecord(values) ? Object.keys(values) : []), ...(card.type === 'agent' ? [] : ['agents'])];
    const unknown = new Set<string>();
    for (const [, backslash, word = ''] of card.instruction.matchAll(placeholder)) {
      if (backslash === '' && !known.has(word) && !own.includes(word)) unknown.add(word);
    }
    const lines = new LineIndex(file.text);
    return [...unknown].map((word) => {
      const at = file.text.search(new RegExp(`\\{\\{[ \\t]{0,8}${word}[ \\t]{0,8}\\}\\}`));
      const meant = nearName(word, [...own, ...known]);
      const next =
        meant === undefined
          ? `Give it a value in 'request_params.template_vars', or write \\{{${word}}} for the text itself.`
          : `Did you mean '{{${meant}}}'?`;
      const text = `Nothing fills in {{${word}}}: the model would read it as it is. ${next}`;
      return makeIssue(
        'placeholder-unknown',
        { file: card.file, ...lines.positionOf(Math.max(0, at)), agent: name },
        text,
      );
    });
  });
}
