import type { ReplayData, ReplayMoment, WriteTime } from './replay-data';

/**
 * Lists the steps up to the play-head, and shows the texts of the selected one: what went in as soon as it began, what came out
 * once it has ended.
 * Longer than 80 lines because a function that is written into a page has to hold all it needs.
 */
export function replaySteps(data: ReplayData, into: HTMLElement, select: (span: number) => void, time: WriteTime) {
  const make = <K extends keyof HTMLElementTagNameMap>(
    tag: K,
    className: string,
    text: string,
    parent: HTMLElement,
  ) => {
    const node = document.createElement(tag);
    node.className = className;
    node.textContent = text;
    parent.append(node);
    return node;
  };
  const words: Record<string, string> = {
    ...{ ok: 'done', error: 'failed', timeout: 'timed out', cancelled: 'stopped', interrupted: 'interrupted' },
  };
  const kinds: Record<string, string> = {
    ...{ instance: 'Instance', queued: 'Waiting to begin', model: 'Model call', tool: 'Tool call', hook: 'Hook' },
    ...{ setup: 'Start', decision: 'Decision', waiting: 'Question to a person', framework: 'Span of the framework' },
  };
  const isBad = (status: string) => status === 'error' || status === 'timeout';

  const left = make('section', 'history', '', into);
  left.ariaLabel = 'History';
  make('h2', 'pane', 'Steps', left);
  const list = make('ol', '', '', left);
  list.ariaLabel = 'Steps';
  const right = make('section', 'detail', '', into);
  right.ariaLabel = 'Selection';
  make('h2', 'pane', 'Selection', right);
  const detail = make('div', 'texts', '', right);
  detail.ariaLive = 'polite';

  const most = 5_000;
  const inOrder = data.spans
    .map((_, index) => index)
    .filter((index) => data.spans[index]?.kind !== 'queued')
    .sort((a, b) => (data.spans[a]?.start ?? 0) - (data.spans[b]?.start ?? 0));
  const rows: {
    readonly item: HTMLElement;
    readonly button: HTMLElement;
    readonly end: HTMLElement;
    readonly index: number;
  }[] = [];
  for (const index of inOrder.slice(0, most)) {
    const span = data.spans[index];
    if (span === undefined) continue;
    const item = make('li', '', '', list);
    const button = make('button', '', '', item);
    make('span', 'time', time(span.start), button);
    make('i', '', '', button).style.background = `var(--${span.ink === 'agent-soft' ? 'agent' : span.ink})`;
    const name = make('span', 'name', '', button);
    make('b', '', span.name, name);
    if (span.kind !== 'instance') make('span', 'muted', ` ${data.lanes[span.lane]?.name ?? ''}`, name);
    const end = make('span', 'time', '', button);
    button.onclick = () => select(index);
    rows.push({ item, button, end, index });
  }
  if (inOrder.length > most)
    make(
      'p',
      'muted',
      `The first ${most.toLocaleString()} of ${inOrder.length.toLocaleString()} steps are listed.`,
      left,
    );

  /** Scrolls the list alone, and not the page, to a row below its heading. */
  const bringIntoView = ({ offsetTop, offsetHeight }: HTMLElement) => {
    const top = offsetTop - left.offsetTop;
    const heading = 40;
    if (top - heading < left.scrollTop) left.scrollTop = top - heading;
    else if (top + offsetHeight > left.scrollTop + left.clientHeight)
      left.scrollTop = top + offsetHeight - left.clientHeight;
  };

  let before = '';
  const showDetail = ({ moment, selected }: ReplayMoment) => {
    const span = data.spans[selected];
    const isThere = span !== undefined && span.start <= moment;
    const isOver = isThere && span.end <= moment;
    // The texts stay as they are while the play-head moves, so that they can be read and copied.
    const now = `${selected} ${isThere} ${isOver}`;
    if (now === before) return;
    before = now;
    detail.textContent = '';
    if (span === undefined)
      return void make('p', 'muted', 'Select a bar or a step to see what went in and out.', detail);
    if (!isThere) return void make('p', 'muted', 'What is selected began after this moment.', detail);
    make('h3', 'title', span.name, detail);
    const status = isOver ? (words[span.status] ?? span.status) : 'running';
    const facts = [
      ...[kinds[span.kind] ?? span.kind, data.lanes[span.lane]?.name ?? '', status],
      isOver ? `${time(span.start)} to ${time(span.end)}` : `since ${time(span.start)}`,
      ...(span.tokens > 0 && isOver ? [`${span.tokens.toLocaleString()} tokens`] : []),
    ];
    make('p', isOver && isBad(span.status) ? 'bad' : 'muted', facts.join(' · '), detail);
    let count = 0;
    for (const [place, seq] of span.parts.entries()) {
      if (place === 1 && !isOver) continue;
      for (const [title, text] of data.texts[seq] ?? []) {
        make('h4', '', title, detail);
        make('pre', '', text, detail).tabIndex = 0;
        count += 1;
      }
    }
    if (count === 0) make('p', 'muted', isOver ? 'It has no texts.' : 'Nothing is known of it yet.', detail);
  };

  return {
    show(at: ReplayMoment) {
      for (const { item, button, end, index } of rows) {
        const span = data.spans[index];
        if (span === undefined) continue;
        item.hidden = span.start > at.moment;
        const isOver = span.end <= at.moment;
        button.ariaCurrent = String(index === at.selected);
        end.className = isOver && isBad(span.status) ? 'time bad' : 'time';
        end.textContent = isOver
          ? `${span.status === 'ok' ? '' : `${words[span.status] ?? span.status} `}${time(span.end - span.start)}`
          : 'running';
        if (index === at.selected) bringIntoView(item);
      }
      showDetail(at);
    },
  };
}
