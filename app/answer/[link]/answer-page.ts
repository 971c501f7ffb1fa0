import { escaped, type PlainPage } from '@/app/plain-page';
import { escapeHidden, escapeHiddenLines } from '@/lib/base/escape-hidden';
import type { PendingDetail } from '@/lib/base/pending-info';
import type { LinkedQuestion } from '@/lib/server/answer-links';

/** The question with its buttons. `problem` says why an answer was not kept. */
export function questionPage(
  { item, addressee, decisions }: LinkedQuestion,
  action: string,
  problem?: string,
): PlainPage {
  const { question } = item;
  const shown = question.arguments === undefined ? '' : JSON.stringify(question.arguments, null, 2);
  const args =
    shown === ''
      ? ''
      : `<h2>Arguments</h2>\n<pre class="arguments" tabindex="0">${escaped(escapeHiddenLines(shown))}</pre>`;
  const approve = decisions.includes('approve')
    ? '<button type="submit" name="decision" value="approve">Approve</button>'
    : '';
  const form = approve === '' ? `<p>The inbox takes the answer. Here the question can be declined.</p>` : '';
  return {
    title: 'Answer',
    main: `<h1><bdi>${escaped(escapeHidden(item.sentence))}</bdi></h1>
${problem === undefined ? '' : `<p class="problem" role="alert">${escaped(problem)}</p>`}
${facts(item)}
${args}
${form}
<form method="post" action="${escaped(action)}">
<label for="note">Reason or note</label>
<textarea id="note" name="note" maxlength="2000"></textarea>
<div class="actions">
${approve}
<button type="submit" name="decision" value="deny" class="quiet">Decline</button>
</div>
</form>
<p class="why">You answer as ${escaped(addressee)}. This link answers one question, once. ${inbox(item)}</p>`,
  };
}

/** What became of a question that is not open. `problem` says that this answer came late. */
export function endedPage({ item }: LinkedQuestion, problem?: string): PlainPage {
  const { status, answer, endedAt } = item;
  const at = endedAt === undefined ? '' : ` at ${timeOf(endedAt)}`;
  const decided = {
    approve: 'approved',
    deny: 'declined',
    edit: 'approved with changes',
    answer: 'answered',
    cancel: 'cancelled',
  };
  const ends = {
    open: 'Waiting.',
    answered: answer === undefined ? 'Answered.' : `${answer.by} ${decided[answer.decision]} this${at}.`,
    expired: `Nobody answered in time. The question ended${at}.`,
    withdrawn: `The run does not need the answer any more. The question ended${at}.`,
  };
  return {
    title: 'Answered',
    main: `<h1><bdi>${escaped(escapeHidden(item.sentence))}</bdi></h1>
${problem === undefined ? '' : `<p class="problem" role="alert">${escaped(problem)}</p>`}
<p role="status">${escaped(ends[status])}</p>
${facts(item)}
<p class="why">${inbox(item)}</p>`,
  };
}

/** A link that shows no question. */
export function refusedPage(message: string): PlainPage {
  return {
    title: 'Not available',
    main: `<h1>This link cannot be used</h1>\n<p>${escaped(message)}</p>\n<p><a href="/inbox">Open the inbox</a></p>`,
  };
}

function facts({ projectName, path, tool, question, limitAt, askedAt }: PendingDetail): string {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Project', projectName],
    ['Agent', path],
    ['Tool', tool],
    ['Asked by', question.why?.rule],
    ['Asked', timeOf(askedAt)],
    ['Answer until', limitAt === undefined ? undefined : timeOf(limitAt)],
  ];
  const known = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [`<dt>${name}</dt><dd><bdi>${escaped(escapeHidden(value))}</bdi></dd>`],
  );
  return `<dl>${known.join('')}</dl>`;
}

function inbox({ id }: PendingDetail): string {
  return `<a href="/inbox?item=${encodeURIComponent(id)}">Open it in the inbox</a>`;
}

function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
