'use client';

import { defaultKeymap } from '@codemirror/commands';
import { MergeView } from '@codemirror/merge';
import { Compartment, EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import { codeTheme } from '@/components/code-editor/code-theme';
import { hiddenCharacters } from '@/components/code-editor/hidden-characters';
import { loadLanguage } from '@/components/code-editor/languages';
import { type ShownLine, shownLines } from '@/components/ui/line-diff';
import type { LineRange } from '@/lib/graph/review/follow-lines';

export interface MergedTextsProps {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The numbers of lines with threads, with a space between them. */
  readonly marked: string;
  /** Called with the lines that are selected in the new text. */
  readonly onRange: (range: LineRange) => void;
  /** Called when a comment on these lines is wanted. */
  readonly onAsk: () => void;
}

const marks = new Compartment();

/** Shows two texts beside each other in CodeMirror, to be read only. Equal stretches are folded. */
export function MergedTexts({ path, before, after, marked, ...props }: MergedTextsProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<MergeView>(undefined);
  const onRange = useEffectEvent((range: LineRange) => props.onRange(range));
  const onAsk = useEffectEvent(() => props.onAsk());
  const firstMarks = useEffectEvent(() => marked);
  useEffect(() => {
    if (host.current === null) return;
    const language = new Compartment();
    const [a, b] = shownLines(before, after);
    const merge = new MergeView({
      parent: host.current,
      a: { doc: textOf(a), extensions: [readOnly(`Old text of ${path}`), language.of([])] },
      b: {
        doc: textOf(b),
        extensions: [
          keymap.of([{ key: 'Enter', run: () => handled(onAsk) }]),
          readOnly(`New text of ${path}. Enter comments on the selected lines.`),
          language.of([]),
          marks.of(markLines(textOf(b), firstMarks())),
          EditorView.updateListener.of(({ selectionSet, state }) => {
            if (selectionSet) onRange(selectedLines(state));
          }),
        ],
      },
      collapseUnchanged: { margin: 3, minSize: 6 },
      gutter: true,
    });
    view.current = merge;
    void loadLanguage(path).then((loaded) => {
      if (view.current !== merge) return;
      for (const side of [merge.a, merge.b]) side.dispatch({ effects: language.reconfigure(loaded) });
    });
    return () => {
      view.current = undefined;
      merge.destroy();
    };
  }, [path, before, after]);
  useEffect(() => {
    const side = view.current?.b;
    side?.dispatch({ effects: marks.reconfigure(markLines(side.state.doc.toString(), marked)) });
  }, [marked]);
  return <div ref={host} className="isolate max-h-[36rem] overflow-auto" />;
}

function handled(act: () => void): boolean {
  act();
  return true;
}

function selectedLines({ doc, selection: { main } }: EditorState): LineRange {
  return { from: doc.lineAt(main.from).number, to: doc.lineAt(main.to).number };
}

function readOnly(label: string): Extension {
  return [
    keymap.of(defaultKeymap),
    lineNumbers(),
    EditorState.lineSeparator.of('\n'),
    hiddenCharacters('exact'),
    EditorState.readOnly.of(true),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
    codeTheme,
    look,
  ];
}

/** The marks of the merge view in our colours. A removed and an added text also differ by their line. */
const look = EditorView.theme({
  '&': { height: 'auto' },
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--bad-soft)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--ok-soft)' },
  '&.cm-merge-a .cm-changedText': {
    background: 'none',
    textDecoration: 'line-through',
    textDecorationColor: 'var(--bad)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'none', textDecoration: 'underline', textDecorationColor: 'var(--ok)' },
  // The faint colours of the code theme are too faint on these grounds.
  '.cm-changedText, .cm-changedText *, .cm-changedLine del *, .cm-changedLine ins *': {
    color: 'var(--ink) !important',
  },
  '&.cm-merge-a .cm-changedLineGutter': { background: 'var(--bad)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--ok)' },
  '.cm-collapsedLines': { background: 'var(--sunken)', color: 'var(--muted)', fontSize: '11px' },
  '.cm-lineWithThread': { boxShadow: 'inset 3px 0 var(--accent)' },
});

const threadMark = Decoration.line({ class: 'cm-lineWithThread' });

/** Returns the text of lines, as many as the other view shows. Unusual line ends stay in their line, where they are marked. */
function textOf(lines: readonly ShownLine[]): string {
  return lines.map(({ text, end = '' }) => text + end.replace('\n', '')).join('\n');
}

/** Marks the lines at whose end a thread is. */
function markLines(text: string, marked: string): Extension {
  const lines = new Set(marked.split(' ').filter(Boolean).map(Number));
  if (lines.size === 0) return [];
  const builder = new RangeSetBuilder<Decoration>();
  let at = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (lines.has(index + 1)) builder.add(at, at, threadMark);
    at += line.length + 1;
  }
  const set: DecorationSet = builder.finish();
  return EditorView.decorations.of(set);
}
