import { decisionsFor } from '@/lib/base/answer-rules';
import { AppError } from '@/lib/base/app-error';
import { escapeHidden, escapeHiddenLines } from '@/lib/base/escape-hidden';
import { parseWithDigits } from '@/lib/base/exact-json';
import type { PendingId } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { Decision, ItemEnd, PendingQuestion, PersonAnswer } from '@/lib/base/pending';
import type { AnswerInput } from '@/lib/base/pending-info';
import { terminalText } from '@/lib/base/terminal-text';
import type { PeoplePort } from '@/lib/runtime/ports';
import type { RunEvent } from '@/lib/runtime/record/events';
import { checkAnswer } from '@/lib/server/check-answer';
import type { Terminal } from './ask-trust';
import { type LineReader, openLines } from './line-reader';
import { readServerAnswer } from './terminal-form';

/** The longest time that a timer takes. A run of the command line waits as long as its terminal. */
const foreverMs = 2_147_483_647;
const who = { by: 'terminal', via: 'terminal' } as const;
/** Texts beside the arguments that are longer than this are cut when they are shown. */
const mostShown = 4_000;

export interface TerminalPeople extends PeoplePort {
  /** Takes each event of the run, for the questions in them. */
  note(event: RunEvent): void;
  close(): void;
}

/**
 * Asks the questions of a run in a terminal, one after another in the order in which they were asked. An answer that does not fit
 * is asked for again. When the input ends, every further question is denied. `given` reads the input in place of a reader of its own.
 */
export function terminalPeople({ input, output }: Terminal, given?: Pick<LineReader, 'next'>): TerminalPeople {
  const questions = new Map<PendingId, PendingQuestion>();
  let own: LineReader | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const reader = (): LineReader => {
    own ??= openLines(input);
    return own;
  };

  const ask = async (question: PendingQuestion, signal: AbortSignal): Promise<ItemEnd> => {
    const lines = given ?? reader();
    const answer = signal.aborted
      ? undefined
      : await askOne(question, lines, (text) => output.write(terminalText(text)), signal);
    return answer === undefined ? { outcome: 'withdrawn' } : { outcome: 'answered', answer };
  };

  return {
    note(event) {
      if (event.kind === 'person.asked') questions.set(event.item, event);
    },
    answerOf(item, signal) {
      const question = questions.get(item);
      if (question === undefined) return Promise.resolve({ outcome: 'withdrawn' });
      questions.delete(item);
      const end = turn.then(() => ask(question, signal));
      turn = end;
      return end;
    },
    holdMs: () => foreverMs,
    close: () => own?.close(),
  };
}

/** Returns `undefined` if the signal aborts. */
async function askOne(
  question: PendingQuestion,
  lines: Pick<LineReader, 'next'>,
  print: (text: string) => void,
  signal: AbortSignal,
): Promise<PersonAnswer | undefined> {
  const indented = (text: string) => escapeHiddenLines(text).replaceAll('\n', '\n  ');
  print(`\n? ${escapeHidden(question.path)}: ${escapeHidden(question.sentence)}\n`);
  if (question.server?.message !== undefined) print(`  ${indented(cut(question.server.message))}\n`);
  if (question.said !== undefined) print(`  It said: ${indented(cut(question.said))}\n`);
  // All of them, because they are what is decided about.
  if (question.arguments !== undefined) print(`  ${indented(JSON.stringify(question.arguments, null, 2))}\n`);
  if (question.why !== undefined) print(`  Why: ${escapeHidden(question.why.rule)}\n`);
  for (;;) {
    const input = await readInput(question, lines, print, signal);
    if (signal.aborted) return undefined;
    try {
      return checkAnswer(question, input, who);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      print(`  ${error.message}\n`);
    }
  }
}

async function readInput(
  question: PendingQuestion,
  lines: Pick<LineReader, 'next'>,
  print: (text: string) => void,
  signal: AbortSignal,
): Promise<AnswerInput> {
  const allowed = decisionsFor(question);
  const next = async (prompt: string) => {
    print(prompt);
    return await lines.next(signal);
  };
  if (question.what === 'question') return await readServerAnswer(question, next);
  const first = await next(allowed.includes('approve') ? `  ${choiceOf(allowed)} ` : '  Answer (empty to decline): ');
  if (first === undefined) return { decision: 'deny', note: 'The terminal was closed.' };
  if (!allowed.includes('approve')) return contentOf(question, first);
  switch (first.trim().toLowerCase()) {
    case 'y':
    case 'yes':
      return { decision: 'approve' };
    case 'e':
      return { decision: 'edit', arguments: recordOf(await next('  Arguments as JSON: ')) };
    case 'a':
      return contentOf(question, (await next('  Answer: ')) ?? '');
    default:
      return { decision: 'deny', note: await next('  Reason (may be empty): ') };
  }
}

function choiceOf(allowed: readonly Decision[]): string {
  const edit = allowed.includes('edit') ? '/e=edit' : '';
  const answer = allowed.includes('answer') ? '/a=answer' : '';
  return `Approve? [y/N${edit}${answer}]`;
}

/** A form for a text takes the line as it is; others take JSON. */
function contentOf({ form }: PendingQuestion, line: string): AnswerInput {
  if (line.trim() === '') return { decision: 'deny' };
  const isText = form === undefined || form.type === 'string';
  return { decision: 'answer', content: isText ? line : (parseWithDigits(line) ?? line) };
}

function recordOf(line: string | undefined): AnswerInput['arguments'] {
  const value = parseWithDigits(line ?? '');
  return isObject(value) ? value : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

function cut(text: string): string {
  return text.length <= mostShown
    ? text
    : `${text.slice(0, mostShown)} [first ${mostShown} of ${text.length} characters]`;
}
