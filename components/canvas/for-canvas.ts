import { isTyping } from '@/components/ui/typing';

/**
 * True if a key or a clipboard event is meant for the canvas. Its target must be inside the canvas or be the page itself (a
 * click on the pane leaves the focus there), and it must not be typed into a field.
 */
export function isForCanvas(canvas: HTMLElement, target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (canvas.offsetParent === null) return false;
  if (isTyping(target)) return false;
  return canvas.contains(target) || target === document.body || target.id === 'main';
}
