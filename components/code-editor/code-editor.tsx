'use client';

import { defaultKeymap, indentWithTab } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { yaml, yamlFrontmatter } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, type Extension, Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Issue } from '@/lib/base/issue';
import { codeTheme } from './code-theme';
import { replacedRange } from './replaced-range';

export interface CodeEditorProps {
  /** The path of the file. It chooses the language, and another path starts a fresh editor. */
  readonly file: string;
  readonly text: string;
  readonly issues: readonly Issue[];
  /** A new object moves the cursor to this place (counted from 1) and focuses the editor, unless it is `quiet`. */
  readonly goTo: { readonly line: number; readonly column: number; readonly quiet?: boolean } | undefined;
  readonly onChange: (text: string) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** Marks changes that came from `text` (undo, a form, the canvas), so that they are not reported by `onChange`. */
const fromOutside = Annotation.define<boolean>();

/**
 * Shows one text file in CodeMirror. The `text` prop decides the content: only the part that differs is replaced, so cursor
 * and scroll position stay. Undo is that of the project; CodeMirror's own history is not used.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { file, text, issues, goTo } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const onChange = useEffectEvent((next: string) => props.onChange(next));
  const onUndo = useEffectEvent(() => props.onUndo());
  const onRedo = useEffectEvent(() => props.onRedo());
  const initialText = useEffectEvent(() => props.text);

  useEffect(() => {
    if (host.current === null) return;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: initialText(),
        extensions: extensionsFor(file, initialText(), { onChange, onUndo, onRedo }),
      }),
    });
    view.current = editor;
    return () => {
      view.current = undefined;
      editor.destroy();
    };
  }, [file]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined) return;
    const now = editor.state.sliceDoc();
    if (now === text) return;
    const wanted = text.split(editor.state.lineBreak).join('\n');
    const { from, to, insert } = replacedRange(editor.state.doc.toString(), wanted);
    editor.dispatch({
      changes: { from, to, insert: Text.of(insert.split('\n')) },
      annotations: fromOutside.of(true),
    });
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined) return;
    const found = issues.filter((issue) => issue.file === file).map((issue) => diagnosticOf(editor.state, issue));
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [file, issues]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || goTo === undefined) return;
    const line = editor.state.doc.line(Math.min(Math.max(goTo.line, 1), editor.state.doc.lines));
    const at = Math.min(line.from + Math.max(goTo.column, 1) - 1, line.to);
    editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    if (!goTo.quiet) editor.focus();
  }, [goTo]);

  return <div ref={host} className="isolate h-full min-h-0 overflow-hidden" />;
}

/** Returns all extensions that make CodeMirror the editor of a card: keys, gutters, search, colours. */
function extensionsFor(
  file: string,
  text: string,
  on: { readonly onChange: (text: string) => void; readonly onUndo: () => void; readonly onRedo: () => void },
): Extension[] {
  return [
    keymap.of([
      { key: 'Mod-z', run: handled(on.onUndo), preventDefault: true },
      { key: 'Mod-Shift-z', run: handled(on.onRedo), preventDefault: true },
      { key: 'Mod-y', run: handled(on.onRedo), preventDefault: true },
      ...searchKeymap,
      // The editor leaves Mod+Enter and Mod+K to the page, where they run the project and open the palette.
      ...defaultKeymap.filter((binding) => binding.key !== 'Mod-Enter' && binding.key !== 'Mod-k'),
      indentWithTab,
    ]),
    lineNumbers(),
    lintGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    drawSelection(),
    bracketMatching(),
    indentOnInput(),
    indentUnit.of('  '),
    EditorState.tabSize.of(2),
    EditorState.lineSeparator.of(lineSeparator(text)),
    search({ top: true }),
    EditorState.phrases.of(searchWords),
    highlightSelectionMatches(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': `Text of ${file}`, tabindex: '0' }),
    language(file),
    codeTheme,
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      if (update.transactions.some((transaction) => transaction.annotation(fromOutside))) return;
      on.onChange(update.state.sliceDoc());
    }),
  ];
}

/** A CodeMirror command that runs `act` and reports the key as handled. */
function handled(act: () => void): () => boolean {
  return () => {
    act();
    return true;
  };
}

/** Words of CodeMirror's search panel in British spelling. */
const searchWords = {
  next: 'Next',
  previous: 'Previous',
  all: 'All',
  'match case': 'Match case',
  regexp: 'Regexp',
  'by word': 'Whole word',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
};

/** Returns CR LF only if every line ends with it. In a mixed file CR is kept as a character. */
function lineSeparator(text: string): string {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n';
}

function language(file: string): Extension {
  if (/\.ya?ml$/i.test(file)) return yaml();
  if (/\.(md|markdown)$/i.test(file)) return yamlFrontmatter({ content: markdown() });
  return [];
}

/** Marks the text from the issue's place to the end of its line, or the whole line when the place is its end. */
function diagnosticOf(state: EditorState, issue: Issue): Diagnostic {
  const line = state.doc.line(Math.min(Math.max(issue.line, 1), state.doc.lines));
  const at = Math.min(line.from + Math.max(issue.column, 1) - 1, line.to);
  return { from: at < line.to ? at : line.from, to: line.to, severity: issue.severity, message: issue.message };
}
