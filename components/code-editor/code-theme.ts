import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--ink)', fontSize: '12.5px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--accent)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 22%, transparent) !important',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 55%, transparent)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--faint)', border: 'none', paddingRight: '4px' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 6px 0 10px', minWidth: '30px' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '3px 1px' },
  '.cm-lint-marker': { width: '9px', height: '9px', margin: '2px 1px', content: 'none' },
  '.cm-lint-marker-error': { content: 'none', backgroundColor: 'var(--bad)', borderRadius: '50%' },
  '.cm-lint-marker-warning': {
    content: 'none',
    backgroundColor: 'var(--warn)',
    clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
  },
  '.cm-lint-marker-info': { content: 'none', backgroundColor: 'var(--busy)', borderRadius: '2px' },
  '.cm-diagnostic': { fontFamily: 'var(--font-sans)', fontSize: '12px', padding: '4px 8px', borderLeftWidth: '3px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--busy)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad) 1px' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warn) 1px' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow-pop)',
    maxWidth: '420px',
  },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)', fontFamily: 'var(--font-sans)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'color-mix(in srgb, var(--warn) 35%, transparent)' },
  '.cm-severity': { fontWeight: '600' },
  '.cm-fixes': { display: 'flex', flexWrap: 'wrap', gap: '4px', marginTop: '4px' },
  '.cm-fixes button': {
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
    backgroundColor: 'var(--surface)',
    color: 'var(--accent)',
    cursor: 'pointer',
    fontSize: '12px',
    padding: '1px 8px',
  },
  '.cm-fixes button:hover': { backgroundColor: 'var(--hover)' },
  '.cm-help': { fontFamily: 'var(--font-sans)', fontSize: '12px', padding: '5px 9px', color: 'var(--muted)' },
  '.cm-help-title': { fontFamily: 'var(--font-mono)', color: 'var(--ink)', fontWeight: '600' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    fontSize: '12px',
    maxHeight: '260px',
    minWidth: '200px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', lineHeight: '18px', color: 'var(--ink)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--faint)', fontStyle: 'normal', fontSize: '11px', marginLeft: '10px' },
  '.cm-tooltip.cm-completionInfo': {
    fontFamily: 'var(--font-sans)',
    fontSize: '12px',
    padding: '5px 9px',
    maxWidth: '280px',
    color: 'var(--muted)',
  },
  // Beside the list there is no room for its words on a phone.
  '@media (max-width: 640px)': { '.cm-tooltip.cm-completionInfo': { display: 'none' } },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--sunken)', border: 'none', color: 'var(--muted)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--agent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--server)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: 'var(--function)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName))], color: 'var(--agent)' },
  { tag: [tags.typeName, tags.className, tags.definition(tags.typeName)], color: 'var(--hook)' },
  { tag: [tags.comment, tags.meta], color: 'var(--faint)', fontStyle: 'italic' },
  { tag: tags.heading, color: 'var(--ink)', fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--busy)' },
  { tag: tags.monospace, color: 'var(--hook)' },
  { tag: [tags.processingInstruction, tags.punctuation, tags.separator, tags.contentSeparator], color: 'var(--faint)' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

/** Styles the editor with our design tokens, so that the same rules serve light and dark. */
export const codeTheme = [look, syntaxHighlighting(colours)];
