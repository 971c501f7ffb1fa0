import type { KeyGroup } from '@/components/ui/key-help';

/** Lists every key of the editor, as the help shows them. */
export const keyGroups: readonly KeyGroup[] = [
  {
    title: 'Everywhere',
    keys: [
      ['Mod+K', 'Command palette'],
      ['Mod+F', 'Find in the project'],
      ['Mod+S', 'Save now'],
      ['Mod+Z', 'Undo'],
      ['Mod+Shift+Z', 'Redo'],
      ['Mod+Enter', 'Run'],
      ['Mod+.', 'Stop the run'],
      ['F6', 'Next region: outline, canvas, inspector, dock'],
      ['Shift+F6', 'Region before'],
      ['?', 'All keys'],
    ],
  },
  {
    title: 'Text',
    keys: [
      ['Mod+F', 'Find in this file'],
      ['Ctrl+Space', 'Complete'],
      ['F12', 'Go to the definition'],
      ['Alt+Enter', 'Fix the problem on the line'],
      ['F8', 'Next problem'],
      ['Tab', 'Indent'],
      ['Escape+Tab', 'Leave the editor'],
    ],
  },
  {
    title: 'Canvas',
    keys: [
      ['N', 'Add an agent, a server, a function, a hook or a note'],
      ['C', 'Connect the node to another one'],
      ['W', 'Select the next wire of the node'],
      ['Shift+←+→+↑+↓', 'Move the selection on the grid'],
      ['Mod+G', 'Group the selection'],
      ['Shift+F10', 'Menu of the node, wire or canvas'],
      ['←+→+↑+↓', 'Follow the edges'],
      ['Enter', 'Open the card'],
      ['F2', 'Rename'],
      ['Delete', 'Delete the selection'],
      ['Mod+A', 'Select all'],
      ['Mod+C', 'Copy, also to another project'],
      ['Mod+X', 'Cut'],
      ['Mod+V', 'Paste'],
      ['Mod+D', 'Duplicate'],
      ['Shift+L', 'Tidy'],
      ['1', 'Fit the graph'],
      ['2', 'Fit the selection'],
      ['Escape', 'Select nothing'],
    ],
  },
];
