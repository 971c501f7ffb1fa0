import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that does `work`, once the click is over if a button of the mouse is down. What moves on the page between press and
 * release takes the click from the button that was pressed.
 */
export function useAfterPress(work: () => void): () => void {
  const isDown = useRef(false);
  const isDue = useRef(false);
  useEffect(() => {
    const press = () => {
      isDown.current = true;
    };
    const release = () => {
      isDown.current = false;
      if (!isDue.current) return;
      isDue.current = false;
      // The click follows the release in the same task.
      setTimeout(work);
    };
    const gone = new AbortController();
    const options = { capture: true, signal: gone.signal };
    addEventListener('pointerdown', press, options);
    for (const type of ['pointerup', 'pointercancel', 'dragend']) addEventListener(type, release, options);
    return () => gone.abort();
  }, [work]);
  return useCallback(() => {
    if (isDown.current) isDue.current = true;
    else work();
  }, [work]);
}
