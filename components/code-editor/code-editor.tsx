'use client';

import { defaultKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, nextDiagnostic, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, type Extension, Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { Issue } from '@/lib/base/issue';
import { severityWords } from '@/lib/editor/problem-groups';
import { type CodeAssist, codeAssist, type FixableDiagnostic, type OfferedFix, problemBox } from './code-assist';
import { codeTheme } from './code-theme';
import { breaksAtLineEnds, hiddenCharacters } from './hidden-characters';
import { indentOf, loadLanguage } from './languages';
import { numberOfLine, offsetsOf } from './line-places';
import { replacedRange } from './replaced-range';
import { searchPanel } from './search-panel';

export interface CodeEditorProps {
  /** The path of the file. Its ending chooses the language, and another ending starts a fresh editor. */
  readonly file: string;
  readonly text: string;
  readonly issues: readonly Issue[];
  /** A new object moves the cursor to this place (counted from 1) and focuses the editor, unless it is `quiet`. */
  readonly goTo: { readonly line: number; readonly column: number; readonly quiet?: boolean } | undefined;
  readonly assist: CodeAssist;
  /** Returns the changes that correct an issue. Called when they are shown. */
  readonly fixesOf: (issue: Issue) => readonly OfferedFix[];
  /** True if the text can only be read. It never changes. */
  readonly readOnly: boolean;
  readonly onChange: (text: string) => void;
  /** Called when the cursor comes to another line, and when the editor loses the focus or goes away. */
  readonly onLeaveLine: () => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** The language, which is loaded after the editor is shown. */
const language = new Compartment();
const readOnly = new Compartment();
const label = new Compartment();

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
  const onLeaveLine = useEffectEvent(() => props.onLeaveLine());
  const fixesOf = useEffectEvent((issue: Issue) => props.fixesOf(issue));
  const initial = useEffectEvent(() => ({ file: props.file, text: props.text }));
  const ending = file.slice(file.lastIndexOf('.'));
  const isReadOnly = useEffectEvent(() => props.readOnly);
  const shownIssues = useRef('');
  const assist = useEffectEvent((): CodeAssist => props.assist);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of another language needs a fresh editor
  useEffect(() => {
    if (host.current === null) return;
    const { file, text } = initial();
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          extensionsFor(file, text, { onChange, onLeaveLine, onUndo, onRedo }),
          codeAssist({
            completions: (text, offset) => assist().completions(text, offset),
            help: (text, offset) => assist().help(text, offset),
            openDefinition: (text, offset) => assist().openDefinition(text, offset),
          }),
          readOnly.of(EditorState.readOnly.of(isReadOnly())),
          label.of(labelOf(file)),
          language.of([]),
        ],
      }),
    });
    view.current = editor;
    shownIssues.current = '';
    void loadLanguage(file).then((loaded) => {
      if (view.current === editor) editor.dispatch({ effects: language.reconfigure(loaded) });
    });
    return () => {
      view.current = undefined;
      editor.destroy();
      onLeaveLine();
    };
  }, [ending]);

  useEffect(() => view.current?.dispatch({ effects: label.reconfigure(labelOf(file)) }), [file]);

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
    const own = issues.filter((issue) => issue.file === file);
    // The picture is drawn again at every key, mostly with the same problems.
    const words = own.map((one) => `${one.line}:${one.column}:${one.severity}:${one.message}`).join('\n');
    if (words === shownIssues.current) return;
    shownIssues.current = words;
    const found = own.map((issue) => diagnosticOf(editor.state, issue, () => fixesOf(issue)));
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [file, issues]);

  useGoTo(view, goTo);
  useReadOnly(view, props.readOnly);

  return <div ref={host} className="isolate h-full min-h-0 overflow-hidden" />;
}

type Editor = RefObject<EditorView | undefined>;

/** Puts the cursor where it was asked for. */
function useGoTo(view: Editor, goTo: CodeEditorProps['goTo']): void {
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || goTo === undefined) return;
    const { at } = offsetsOf(editor.state.doc, goTo);
    editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    if (!goTo.quiet) editor.focus();
  }, [view, goTo]);
}

function useReadOnly(view: Editor, isReadOnly: boolean): void {
  useEffect(() => {
    view.current?.dispatch({ effects: readOnly.reconfigure(EditorState.readOnly.of(isReadOnly)) });
  }, [view, isReadOnly]);
}

/** Returns all extensions that make CodeMirror the editor of a card: keys, gutters, search, colours. */
function extensionsFor(
  file: string,
  text: string,
  on: Pick<CodeEditorProps, 'onChange' | 'onLeaveLine' | 'onUndo' | 'onRedo'>,
): Extension[] {
  return [
    keymap.of([
      { key: 'Mod-z', run: handled(on.onUndo), preventDefault: true },
      { key: 'Mod-Shift-z', run: handled(on.onRedo), preventDefault: true },
      { key: 'Mod-y', run: handled(on.onRedo), preventDefault: true },
      // Saving and running are keys of the page, which takes the text as it is then.
      { key: 'Mod-s', run: () => passedOn(on.onLeaveLine) },
      { key: 'Mod-Enter', run: () => passedOn(on.onLeaveLine) },
      ...searchKeymap,
      { key: 'F8', run: nextDiagnostic },
      // The editor leaves Mod+Enter and Mod+K to the page, where they run the project and open the palette.
      ...defaultKeymap.filter((binding) => binding.key !== 'Mod-Enter' && binding.key !== 'Mod-k'),
      indentWithTab,
    ]),
    lineNumbers({ formatNumber: (line, { doc }) => String(numberOfLine(doc, line)) }),
    hiddenCharacters(/\.(md|txt)$/i.test(file) ? 'prose' : 'exact'),
    breaksAtLineEnds,
    lintGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    drawSelection(),
    bracketMatching(),
    indentOnInput(),
    indentUnit.of(indentOf(file)),
    EditorState.tabSize.of(2),
    EditorState.lineSeparator.of(lineSeparator(text)),
    search({ top: true, createPanel: searchPanel }),
    highlightSelectionMatches(),
    EditorView.lineWrapping,
    codeTheme,
    EditorView.domEventHandlers({ blur: () => on.onLeaveLine() }),
    EditorView.updateListener.of((update) => {
      if (update.selectionSet && lineOf(update.startState) !== lineOf(update.state)) on.onLeaveLine();
      if (!update.docChanged) return;
      if (update.transactions.some((transaction) => transaction.annotation(fromOutside))) return;
      on.onChange(update.state.sliceDoc());
    }),
  ];
}

function labelOf(file: string): Extension {
  return EditorView.contentAttributes.of({ 'aria-label': `Text of ${file}`, tabindex: '0' });
}

/** A CodeMirror command that runs `act` and reports the key as handled. */
function handled(act: () => void): () => boolean {
  return () => {
    act();
    return true;
  };
}

/** A CodeMirror command that runs `act` and leaves the key to the page. */
function passedOn(act: () => void): boolean {
  act();
  return false;
}

/** Returns CR LF only if every line ends with it. In a mixed file CR is kept as a character. */
function lineSeparator(text: string): string {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n';
}

function lineOf(state: EditorState): number {
  return state.doc.lineAt(state.selection.main.head).number;
}

/** Marks the text from the issue's place to the end of its line, or the whole line when the place is its end. */
function diagnosticOf(state: EditorState, issue: Issue, fixes: () => readonly OfferedFix[]): FixableDiagnostic {
  const { at, from, to } = offsetsOf(state.doc, issue);
  return {
    from: at < to ? at : from,
    to,
    severity: issue.severity,
    message: issue.message,
    fixes,
    // The fixes are worked out when the message is shown, and not for every problem at every key.
    renderMessage: () => problemBox(severityWords[issue.severity], issue.message, fixes()),
  };
}
