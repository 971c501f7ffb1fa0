'use client';

import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionKeymap,
  completionStatus,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState, Prec } from '@codemirror/state';
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { codeTheme } from '@/components/code-editor/code-theme';
import { replacedRange } from '@/components/code-editor/replaced-range';
import type { InstructionCompletion } from '@/lib/editor/instruction-completion';
import type { InstructionIssue } from '@/lib/editor/instruction-issues';

export interface InstructionEditorProps {
  readonly label: string;
  readonly text: string;
  readonly issues: readonly InstructionIssue[];
  readonly complete: (text: string, at: number) => InstructionCompletion | undefined;
  readonly onChange: (text: string) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  /** Gets a function that closes an open list of completions and returns true, or returns false without one. */
  readonly closesList: RefObject<(() => boolean) | undefined>;
}

const fromOutside = Annotation.define<boolean>();

/** An instruction in CodeMirror, with completion of placeholders and its issues underlined. Undo is that of the project. */
export function InstructionEditor(props: InstructionEditorProps) {
  const { text, issues, closesList, label } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const onChange = useEffectEvent((next: string) => props.onChange(next));
  const onUndo = useEffectEvent(() => props.onUndo());
  const onRedo = useEffectEvent(() => props.onRedo());
  const complete = useEffectEvent((typed: string, at: number) => props.complete(typed, at));
  const initialText = useEffectEvent(() => props.text);

  useEffect(() => {
    if (host.current === null) return;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: initialText(),
        extensions: extensionsOf(label, { onChange, onUndo, onRedo, complete }),
      }),
    });
    view.current = editor;
    // A search that shows nothing yet keeps nobody in the dialog.
    closesList.current = () => completionStatus(editor.state) === 'active' && closeCompletion(editor);
    editor.focus();
    editor.dispatch({ selection: { anchor: editor.state.doc.length }, scrollIntoView: true });
    return () => {
      view.current = undefined;
      closesList.current = undefined;
      editor.destroy();
    };
  }, [label, closesList]);

  useEffect(() => {
    const editor = view.current;
    const now = editor?.state.doc.toString();
    const wanted = text.replaceAll('\r\n', '\n');
    if (editor === undefined || now === undefined || now === wanted) return;
    editor.dispatch({ changes: replacedRange(now, wanted), annotations: fromOutside.of(true) });
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined) return;
    const found = issues.flatMap(({ issue, at }): Diagnostic[] => {
      if (at === undefined || at > editor.state.doc.length) return [];
      const line = editor.state.doc.lineAt(at);
      const closing = line.text.indexOf('}}', at - line.from);
      const to = closing === -1 ? line.to : line.from + closing + 2;
      return [{ from: at, to: Math.max(at, to), severity: issue.severity, message: issue.message }];
    });
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [issues]);

  return <div ref={host} className="isolate h-full min-h-0 overflow-hidden" />;
}

interface Acts {
  readonly onChange: (text: string) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly complete: InstructionEditorProps['complete'];
}

function extensionsOf(label: string, on: Acts) {
  const handled = (act: () => void) => () => {
    act();
    return true;
  };
  const source = (context: CompletionContext): CompletionResult | null => {
    const found = on.complete(context.state.doc.toString(), context.pos);
    if (found === undefined) return null;
    return {
      from: found.from,
      options: found.options.map(({ label: name, detail, insert }, index) => ({
        label: name,
        // Equally good ones keep their order.
        boost: -Math.min(index, 99),
        detail,
        // A placeholder with an argument goes on with the list of its arguments.
        apply: (view: EditorView, _: unknown, from: number, to: number) => {
          view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } });
          if (insert.endsWith(':')) startCompletion(view);
        },
      })),
      validFor: /^[\w./-]*$/,
    };
  };
  return [
    Prec.high(keymap.of([{ key: 'Tab', run: acceptCompletion }])),
    keymap.of([
      { key: 'Mod-z', run: handled(on.onUndo), preventDefault: true },
      { key: 'Mod-Shift-z', run: handled(on.onRedo), preventDefault: true },
      { key: 'Mod-y', run: handled(on.onRedo), preventDefault: true },
      ...completionKeymap,
      ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter' && key !== 'Mod-k'),
    ]),
    autocompletion({ override: [source], icons: false, maxRenderedOptions: 60 }),
    drawSelection(),
    markdown(),
    EditorView.lineWrapping,
    placeholder('What this agent is told. Type {{ for what is filled in.'),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    codeTheme,
    completionLook,
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      if (update.transactions.some((transaction) => transaction.annotation(fromOutside))) return;
      on.onChange(update.state.doc.toString());
    }),
  ];
}

const completionLook = EditorView.theme({
  '.cm-content': { padding: '12px 0' },
  '.cm-line': { padding: '0 14px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-sans)',
    fontSize: '12.5px',
    maxHeight: '18em',
    maxWidth: 'calc(100vw - 6.5rem)',
    padding: '4px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 8px', borderRadius: '4px', lineHeight: '1.4' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionLabel': { fontFamily: 'var(--font-mono)' },
  '.cm-completionDetail': { color: 'var(--faint)', fontStyle: 'normal', marginLeft: '10px' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-placeholder': { color: 'var(--faint)' },
});
