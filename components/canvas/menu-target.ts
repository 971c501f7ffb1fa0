import type { NodeId, Point } from '@/lib/graph/graph';
import type { OpenPicker } from './use-picker';

/** What the menu of the canvas is about. */
export type MenuTarget =
  /** `at` is on the canvas, `screen` the same place on the screen. */
  | { readonly kind: 'pane'; readonly at: Point; readonly screen: Point }
  | { readonly kind: 'node'; readonly id: NodeId; readonly at: Point }
  | { readonly kind: 'edge'; readonly id: string; readonly at: Point };

export interface CanvasMenuProps {
  readonly target: MenuTarget;
  readonly openPicker: OpenPicker;
  /** Removes what is selected, and gives the focus to a node beside it. */
  readonly onRemove: () => void;
  readonly onTidy: () => void;
}
