import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search';
import type { EditorState } from '@codemirror/state';
import { type EditorView, type Panel, runScopeHandlers, type ViewUpdate } from '@codemirror/view';

/** Matches are counted up to this number, so that a search for one letter stays quick. */
const maxCounted = 999;

const svg = 'http://www.w3.org/2000/svg';

const field =
  'h-7 w-full min-w-0 rounded border border-line-strong bg-surface px-2 text-ink text-xs placeholder:text-faint hover:border-faint focus-visible:border-accent focus-visible:outline-offset-0';
const toggle =
  'inline-flex h-7 min-w-7 shrink-0 cursor-pointer items-center justify-center rounded px-1 font-mono text-2xs text-muted before:content-[attr(data-sign)] hover:bg-hover hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent';
const button =
  'inline-flex h-7 shrink-0 cursor-pointer items-center justify-center whitespace-nowrap rounded border border-line-strong bg-surface px-2 text-ink text-xs hover:bg-hover';
const icon =
  'inline-flex size-7 shrink-0 cursor-pointer items-center justify-center rounded text-muted hover:bg-hover hover:text-ink';

/** The bar for finding and replacing in a file, with the controls of the app in place of the browser's. */
export function searchPanel(view: EditorView): Panel {
  const find = input('Find', 'Find');
  find.setAttribute('main-field', 'true');
  const replace = input('Replace', 'Replace with');
  const count = document.createElement('span');
  count.className = 'min-w-14 shrink-0 text-right text-2xs text-muted tabular';
  count.setAttribute('role', 'status');
  const matchCase = toggleButton('Aa', 'Match case', change);
  const wholeWord = toggleButton('ab', 'Whole word', change);
  const regexp = toggleButton('.*', 'Regular expression', change);

  function change() {
    const query = new SearchQuery({
      search: find.value,
      replace: replace.value,
      caseSensitive: isPressed(matchCase),
      wholeWord: isPressed(wholeWord),
      regexp: isPressed(regexp),
    });
    if (!query.eq(getSearchQuery(view.state))) view.dispatch({ effects: setSearchQuery.of(query) });
  }

  function show(query: SearchQuery) {
    if (find.value !== query.search) find.value = query.search;
    if (replace.value !== query.replace) replace.value = query.replace;
    matchCase.ariaPressed = String(query.caseSensitive);
    wholeWord.ariaPressed = String(query.wholeWord);
    regexp.ariaPressed = String(query.regexp);
    const bad = query.search !== '' && !query.valid;
    find.ariaInvalid = String(bad);
    count.textContent = bad ? 'not valid' : countWords(view.state, query);
  }

  const dom = document.createElement('div');
  dom.className = 'flex flex-col gap-1 p-1.5';
  dom.setAttribute('role', 'search');
  dom.setAttribute('aria-label', 'Find in the file');
  dom.append(
    row(
      find,
      matchCase,
      wholeWord,
      regexp,
      count,
      iconButton('Previous match (Shift+Enter)', 'm18 15-6-6-6 6', () => findPrevious(view)),
      iconButton('Next match (Enter)', 'm6 9 6 6 6-6', () => findNext(view)),
      iconButton('Close (Escape)', 'M18 6 6 18 M6 6l12 12', () => closeSearchPanel(view)),
    ),
  );
  if (!view.state.readOnly) {
    dom.append(
      row(
        replace,
        textButton('Replace', () => replaceNext(view)),
        textButton('Replace all', () => replaceAll(view)),
      ),
    );
  }
  for (const one of [find, replace]) one.addEventListener('input', change);
  dom.addEventListener('keydown', (event) => {
    if (runScopeHandlers(view, event, 'search-panel')) event.preventDefault();
    else if (event.key === 'Enter' && (event.target === find || event.target === replace)) {
      event.preventDefault();
      if (event.target === replace) replaceNext(view);
      else if (event.shiftKey) findPrevious(view);
      else findNext(view);
    }
  });
  show(getSearchQuery(view.state));
  return {
    dom,
    top: true,
    mount: () => find.select(),
    update(update: ViewUpdate) {
      const changed = update.transactions.some((one) => one.effects.some((effect) => effect.is(setSearchQuery)));
      if (changed || update.docChanged || update.selectionSet) show(getSearchQuery(update.state));
    },
  };
}

/** Returns `3 of 12`, `12` when no match is selected, or `none`. */
function countWords(state: EditorState, query: SearchQuery): string {
  if (query.search === '') return '';
  const { main } = state.selection;
  let total = 0;
  let current = 0;
  const cursor = query.getCursor(state);
  for (let next = cursor.next(); !next.done && total <= maxCounted; next = cursor.next()) {
    total++;
    if (next.value.from === main.from && next.value.to === main.to) current = total;
  }
  if (total === 0) return 'none';
  const all = total > maxCounted ? `${maxCounted}+` : String(total);
  return current === 0 ? all : `${current} of ${all}`;
}

function row(...children: HTMLElement[]): HTMLElement {
  const element = document.createElement('div');
  element.className = 'flex min-w-0 items-center gap-1';
  element.append(...children);
  return element;
}

function input(name: string, placeholder: string): HTMLInputElement {
  const element = document.createElement('input');
  element.className = field;
  element.ariaLabel = name;
  element.placeholder = placeholder;
  element.autocomplete = 'off';
  element.spellcheck = false;
  return element;
}

function toggleButton(text: string, name: string, change: () => void): HTMLButtonElement {
  const element = actionButton(name, toggle, () => {
    element.ariaPressed = String(!isPressed(element));
    change();
  });
  // The sign is drawn and no text, because the name of the button is other words.
  element.dataset.sign = text;
  element.ariaPressed = 'false';
  return element;
}

function textButton(text: string, act: () => void): HTMLButtonElement {
  const element = actionButton(text, button, act);
  element.textContent = text;
  return element;
}

/** `path` is the drawing of an icon of 24 by 24 units. */
function iconButton(name: string, path: string, act: () => void): HTMLButtonElement {
  const element = actionButton(name, icon, act);
  const drawing = document.createElementNS(svg, 'svg');
  const attributes = { viewBox: '0 0 24 24', width: '14', height: '14', fill: 'none', stroke: 'currentColor' };
  for (const [key, value] of Object.entries(attributes)) drawing.setAttribute(key, value);
  drawing.setAttribute('stroke-width', '2');
  drawing.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(svg, 'path');
  line.setAttribute('d', path);
  drawing.append(line);
  element.append(drawing);
  return element;
}

function actionButton(name: string, className: string, act: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.ariaLabel = name;
  element.title = name;
  element.className = className;
  element.addEventListener('click', act);
  return element;
}

function isPressed(element: HTMLButtonElement): boolean {
  return element.ariaPressed === 'true';
}
