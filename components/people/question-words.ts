import type { GrantScope, PendingQuestion } from '@/lib/base/pending';
import type { GrantInfo, PendingDetail, PendingInfo, Remember } from '@/lib/base/pending-info';
import { decided } from '@/lib/trace/answer-words';

/** `lead → clerk[2]`: from the root to the instance that asks. */
export function pathWords(path: string): string {
  return path.split('/').join(' → ');
}

const places: Readonly<Record<GrantScope, string>> = {
  run: 'in this run',
  session: 'in runs of this conversation',
  agent: 'by this agent, in any run of the project',
  project: 'by any agent of the project, in any run',
};

/** Says the rule that an approval is remembered as. */
export function ruleWords({ tool }: Pick<PendingQuestion, 'tool'>, { scope, match }: Remember): string {
  const of = tool?.serverName === undefined ? '' : ` of server '${tool.serverName}'`;
  return `Calls of '${tool?.name ?? ''}'${of} ${matchWords(match)}, ${places[scope]}, run without a question.`;
}

/** Says the rule of a remembered approval. */
export function grantWords(
  grant: Pick<GrantInfo, 'tool' | 'serverName' | 'agent' | 'scope' | 'argumentsHash' | 'patterns'>,
): string {
  const { tool, serverName, agent, scope, argumentsHash, patterns } = grant;
  const of = serverName === undefined ? '' : ` of server '${serverName}'`;
  const match = patterns ?? (argumentsHash === undefined ? 'any' : 'equal');
  const place = agent === undefined ? places[scope] : `by '${agent}', in any run of the project`;
  return `Calls of '${tool}'${of} ${matchWords(match)}, ${place}.`;
}

function matchWords(match: Remember['match']): string {
  if (match === 'equal') return 'with exactly these arguments';
  if (match === 'any') return 'with any arguments';
  return `where ${Object.entries(match)
    .map(([name, pattern]) => `${name} is ${pattern}`)
    .join(' and ')}`;
}

/** Says how a question ended; `undefined` while it is open. */
export function endWords({ status, answer }: Pick<PendingInfo, 'status' | 'answer'>): string | undefined {
  switch (status) {
    case 'open':
      return undefined;
    case 'expired':
      return 'Nobody answered in time.';
    case 'withdrawn':
      return 'The run does not need an answer any more.';
    case 'answered': {
      const how =
        answer === undefined ? 'Answered' : `${capital(decided[answer.decision])} by ${answer.by}, ${answer.via}`;
      return `${how}.`;
    }
  }
}

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/** Says what runs when the question is approved. */
export function happensWords({ question }: Pick<PendingDetail, 'question'>): string {
  const { what, tool } = question;
  switch (what) {
    case 'input':
    case 'external':
      return 'Your answer becomes the result of the call.';
    case 'attachment':
      return 'The file is given to the agent. Without it the agent does not start.';
    case 'budget':
      return 'The run goes on beyond its limit.';
    case 'hook':
      return stoppedWords(question.arguments);
    case 'sampling':
      return question.server?.shows === 'result'
        ? `Server '${question.server.serverName}' gets this text. Until then it knows nothing of it.`
        : 'A model is called with this prompt, at the cost of the run. You see its answer before the server does.';
    case 'question':
      return question.server?.url === undefined
        ? `What you fill in goes to server '${question.server?.serverName ?? ''}'.`
        : `The address opens in your browser, and server '${question.server.serverName}' is told that you agreed.`;
    case 'approval':
      if (question.server?.shows === 'retry')
        return `The call was decided, and server '${question.server.serverName}' cannot be reached. Trying again connects once more; it is also tried whenever the run goes on. Declining gives the call up.`;
      return tool === undefined ? 'The call runs.' : runs(tool);
  }
}

/** Says what becomes of the reason with which a question is declined. */
export function reasonWords({ what }: Pick<PendingQuestion, 'what'>): string {
  return what === 'hook' ? 'The turn of the agent ends with it.' : 'The model reads it.';
}

/** The title of what a question is about. */
export function aboutWords({ what }: Pick<PendingQuestion, 'what'>): string {
  return what === 'hook' ? 'Where the hook stopped' : 'Arguments';
}

function stoppedWords(shown: PendingQuestion['arguments']): string {
  const goesOn = 'The agent goes on where the hook stopped it.';
  if (shown === undefined) return `${goesOn} An answer replaces what it says.`;
  const hasCalls = typeof shown === 'object' && shown !== null && 'calls' in shown;
  return `${goesOn} ${hasCalls ? 'Calls that you answer do not run.' : 'An answer is what the model reads next.'}`;
}

function runs({ name, source, serverName, remoteName }: NonNullable<PendingQuestion['tool']>): string {
  switch (source) {
    case 'agent':
      return `The agent runs, called as '${name}'.`;
    case 'mcp':
      return `The tool '${remoteName ?? name}' runs on the MCP server '${serverName ?? ''}'.`;
    case 'function':
      return `The function '${name}' of the project runs.`;
    case 'runtime':
      return `The built-in tool '${name}' runs.`;
  }
}

/** Groups items of one run. The groups are in the order of their first items. */
export function groupByRun(items: readonly PendingInfo[]): readonly (readonly [PendingInfo, ...PendingInfo[]])[] {
  const groups = new Map<string, [PendingInfo, ...PendingInfo[]]>();
  for (const item of items) {
    const group = groups.get(item.run);
    if (group === undefined) groups.set(item.run, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** Returns the item after (or before) one, by its id; the first one if it is not listed, and the last one at the end. */
export function itemBeside(items: readonly PendingInfo[], id: string | undefined, by: 1 | -1): string | undefined {
  const at = items.findIndex((item) => item.id === id);
  return (at === -1 ? items[0] : items[Math.min(Math.max(at + by, 0), items.length - 1)])?.id;
}

/** Returns the item to show when one was answered: the next that is open, or the one before at the end. */
export function itemAfterAnswer(items: readonly PendingInfo[], id: string): string | undefined {
  const at = items.findIndex((item) => item.id === id);
  const rest = items.filter((item) => item.id !== id && item.status === 'open');
  return (items.slice(at + 1).find((item) => item.status === 'open') ?? rest.at(-1))?.id;
}
