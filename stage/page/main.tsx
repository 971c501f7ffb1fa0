import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { screens } from '@/stage/scenes/screens';
import { controls } from './controls';

/** The one page of the stage: the list of scenes, or the scene that `?scene=` names. A reload opens the same scene again. */

const asked = new URLSearchParams(window.location.search).get('scene');
const isHome = asked === null && window.location.pathname === '/' && window.location.search === '';
const kept = 'stage-scene';
const id = isHome ? undefined : (asked ?? sessionStorage.getItem(kept) ?? undefined);
window.stage = controls;

const place = document.getElementById('stage');
if (place === null) throw new Error('The page has no place for the stage');
const root = createRoot(place);
if (id === undefined) {
  const [{ SceneList }, loaded] = await Promise.all([
    import('./scene-list'),
    Promise.all(screens.map(({ load }) => load())),
  ]);
  root.render(
    <StrictMode>
      <SceneList screens={loaded} />
    </StrictMode>,
  );
} else {
  sessionStorage.setItem(kept, id);
  const { mount } = await import('./mount');
  await mount(root, id, asked !== null);
}
document.documentElement.dataset.stage = 'ready';
