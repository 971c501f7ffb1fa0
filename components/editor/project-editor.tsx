'use client';

import { Footprints, Keyboard, Search } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { AccessContext, useAccess } from '@/components/access/access-context';
import { Canvas } from '@/components/canvas/canvas';
import type { CanvasMemory } from '@/components/canvas/use-kept-view';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { HookBench } from '@/components/hook-bench/hook-bench';
import { Inspector } from '@/components/inspector/inspector';
import { WideEditor } from '@/components/inspector/wide-editor';
import { KeyProjectContext } from '@/components/keys/key-context';
import { ProjectBar } from '@/components/project-bar/project-bar';
import { Dock } from '@/components/run-dock/dock';
import { useIsPaletteOpen } from '@/components/shell/palette-context';
import { ToolBench, ToolDialog } from '@/components/tool-bench/tool-bench';
import { TrustBar } from '@/components/trust/trust-bar';
import { TrustDialog, TrustQuestion } from '@/components/trust/trust-dialog';
import { Announcer } from '@/components/ui/announcer';
import { later, useLoadedWhenIdle } from '@/components/ui/later';
import { MenuItem } from '@/components/ui/menu';
import { useRemembered } from '@/components/ui/remembered';
import { ResizablePanel, usePanel } from '@/components/ui/splitter';
import { useAfterPress } from '@/components/ui/use-after-press';
import { useAskedDialog } from '@/components/ui/use-asked-dialog';
import { useMedia } from '@/components/ui/use-media';
import type { NarrowPanel } from '@/lib/editor/project-state';
import { AccessBar } from './access-bar';
import { ConflictDialog } from './conflict-dialog';
import { EditorProvider } from './editor-provider';
import { FindDialog, FindList } from './find-dialog';
import { GuardDialog, GuardQuestion } from './guard-dialog';
import { NarrowTabs } from './narrow-tabs';
import { Notices } from './notices';
import { usePanels } from './panels';
import { PasteDialog, PasteQuestion } from './paste-dialog';
import { PeopleHere } from './people-here';
import type { ProjectEditorProps } from './project-editor-props';
import { RegionFrame } from './region-frame';
import { SidePanel } from './side-panel';
import { TopBar } from './top-bar';
import { TourOffer } from './tour-offer';
import { usePublish } from './use-publish';
import { useRegions } from './use-regions';
import { useShortcuts } from './use-shortcuts';

const EditorRows = later(async () => (await import('./editor-rows')).EditorRows, null);
const KeysDialog = later(async () => (await import('./keys-dialog')).KeysDialog, null);
const ExportDialog = later(async () => (await import('@/components/run-dock/export-dialog')).ExportDialog, null);
const Tour = later(async () => (await import('./tour')).Tour, null);
const dialogs = [
  ...[FindList, EditorRows, GuardQuestion, PasteQuestion, TrustQuestion],
  ...[ToolDialog, KeysDialog, ExportDialog],
];

/**
 * Shows one open project: canvas in the middle, outline left, inspector right, dock below. On a phone it shows one of them
 * at a time.
 */
export function ProjectEditor(props: ProjectEditorProps) {
  const everything = useAccess();
  const { projectId, name } = props;
  const keyProject = useMemo(() => ({ id: projectId, name }), [projectId, name]);
  return (
    <AccessContext value={props.access ?? everything}>
      <KeyProjectContext value={keyProject}>
        <EditorProvider {...props}>
          <EditorFrame banner={props.banner} />
        </EditorProvider>
      </KeyProjectContext>
    </AccessContext>
  );
}

type Overlay = 'keys' | 'find' | 'export' | 'tour';

function EditorFrame({ banner }: Pick<ProjectEditorProps, 'banner'>) {
  const [shown, setShown] = useState<Overlay>();
  // The width is not known on the server, and a canvas drawn for the wrong width would flicker.
  const narrow = useMedia('(max-width: 767px)');
  const open = useMemo(() => {
    const show = (overlay: Overlay) => () => setShown(overlay);
    return {
      keys: show('keys'),
      find: show('find'),
      export: show('export'),
      tour: show('tour'),
    };
  }, []);
  /** Closes an overlay, unless it has been replaced by another one. */
  const openOrClose = (overlay: Overlay) => (isOpen: boolean) =>
    setShown((now) => (isOpen ? overlay : now === overlay ? undefined : now));
  const isPaletteOpen = useIsPaletteOpen();
  const publish = usePublish();
  // Unsaved work of before is part of what is exported and published.
  const isRestored = useProject((state) => state.isRestored);
  useAskedDialog({ export: open.export, publish: publish.begin }, isRestored);
  useShortcuts(open);
  useRegions(narrow === true);
  useLoadedWhenIdle(dialogs);
  const { leaveField } = useActions();
  // A problem that shows when a field was left must not move the button that was pressed.
  const onBlur = useAfterPress(leaveField);
  const access = useAccess();
  const id = useProject((state) => state.projectId);
  const name = useProject((state) => state.name);
  const draft = useProject((state) => state.draft);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes that a field inside it was left
    <div className="flex h-full min-h-0 flex-col overflow-hidden" onBlur={onBlur}>
      <ProjectBar
        project={{ id, name }}
        access={access}
        current="editor"
        draft={draft}
        isTitle
        actions={{ onExport: open.export, onPublish: publish.begin, isPublishing: publish.isBusy }}
      >
        <MenuItem icon={<Search aria-hidden />} keys="Mod+F" onSelect={open.find}>
          Find in the project
        </MenuItem>
        <MenuItem icon={<Keyboard aria-hidden />} keys="?" onSelect={open.keys}>
          All keys
        </MenuItem>
        <MenuItem icon={<Footprints aria-hidden />} onSelect={open.tour}>
          Take the tour
        </MenuItem>
      </ProjectBar>
      <TopBar />
      {/* The bar of a phone has no room for people. */}
      <PeopleHere className="hidden border-b bg-surface px-3 py-1 max-sm:flex" />
      <AccessBar />
      {banner}
      <TrustBar />
      <Notices />
      <TourOffer onStart={open.tour} />
      {narrow === undefined ? null : narrow ? <NarrowBody /> : <WideBody />}
      {isPaletteOpen && <EditorRows onShowKeys={open.keys} onFind={open.find} onTour={open.tour} />}
      <FindDialog open={shown === 'find'} onOpenChange={openOrClose('find')} />
      {shown === 'keys' && <KeysDialog open onOpenChange={openOrClose('keys')} />}
      {shown === 'export' ? <ExportDialog onClose={() => openOrClose('export')(false)} /> : null}
      {publish.dialog}
      {shown === 'tour' ? <Tour onClose={() => openOrClose('tour')(false)} /> : null}
      <ConflictDialog />
      <GuardDialog />
      <PasteDialog />
      <HookBench />
      <ToolBench />
      <TrustDialog />
      <Announcer />
    </div>
  );
}

function WideBody() {
  const panels = usePanels();
  const isText = useProject((state) => state.textView === 'wide');
  const [view, setView] = useRemembered('editor.text.view', 'split');
  const isSplit = view !== 'over';
  useOpenWanted();
  return (
    <>
      <div className="flex min-h-0 flex-1">
        <ResizablePanel
          side="left"
          label="Outline"
          {...remembered(panels.left)}
          defaultOpen={panels.left.open}
          min={180}
          max={480}
        >
          <RegionFrame region="outline">
            <SidePanel />
          </RegionFrame>
        </ResizablePanel>
        <div className={isText && !isSplit ? 'hidden' : 'min-h-0 min-w-0 flex-1'}>
          <Canvas />
        </div>
        {isText ? (
          <WideText split={isSplit} onSplit={(split) => setView(split ? 'split' : 'over')} />
        ) : (
          <ResizablePanel side="right" label="Inspector" {...remembered(panels.right)} min={280} max={800}>
            <RegionFrame region="inspector">
              <Inspector />
            </RegionFrame>
          </ResizablePanel>
        )}
      </div>
      <ResizablePanel side="bottom" label="Dock" {...remembered(panels.dock)} min={220} max={700}>
        <RegionFrame region="dock">
          <Dock />
        </RegionFrame>
      </ResizablePanel>
    </>
  );
}

/** A panel has its first size until somebody changes it. */
function remembered({ key, size }: { readonly key: string; readonly size: number }) {
  return { storageKey: key, defaultSize: size };
}

/** The wide editor takes the place of the inspector beside the canvas, or covers the canvas too. */
function WideText({ split, onSplit }: { readonly split: boolean; readonly onSplit: (split: boolean) => void }) {
  const { text } = usePanels();
  if (!split) return <WideEditor split={false} onSplit={onSplit} />;
  return (
    <ResizablePanel side="right" label="Text" {...remembered(text)} min={320} max={1600}>
      <WideEditor split onSplit={onSplit} />
    </ResizablePanel>
  );
}

/** Opens the collapsed panel in which something was just shown. */
function useOpenWanted() {
  const wanted = useProject((state) => state.wanted);
  const panels = usePanels();
  const left = usePanel(panels.left.key, panels.left.size, panels.left.open);
  const right = usePanel(panels.right.key, panels.right.size);
  const dock = usePanel(panels.dock.key, panels.dock.size);
  const text = usePanel(panels.text.key, panels.text.size);
  const open = useEffectEvent(() => {
    const of: Record<NarrowPanel, typeof left | undefined> = {
      outline: left,
      inspector: right,
      dock,
      canvas: undefined,
      text,
    };
    const panel = wanted === undefined ? undefined : of[wanted.panel];
    if (panel !== undefined && !panel.open) panel.setOpen(true);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per wish, not when a panel is closed again
  useEffect(() => open(), [wanted]);
}

function NarrowBody() {
  const view = useRef<CanvasMemory>(undefined);
  const panel = useProject((state) => state.narrowPanel);
  const hidden = (one: string) => (panel === one ? 'min-h-0 flex-1 flex flex-col bg-surface' : 'hidden');
  return (
    <>
      <div className={hidden('outline')}>
        <RegionFrame region="outline">
          <SidePanel />
        </RegionFrame>
      </div>
      <div className={hidden('canvas')}>{panel === 'canvas' ? <Canvas memory={view} /> : null}</div>
      {/* The wide editor takes the place of the inspector, so that a text is shown once. */}
      <div className={hidden('inspector')}>
        <RegionFrame region="inspector">{panel === 'text' ? null : <Inspector />}</RegionFrame>
      </div>
      <div className={hidden('dock')}>
        <RegionFrame region="dock">
          <Dock />
        </RegionFrame>
      </div>
      {panel === 'text' ? <WideEditor /> : null}
      <NarrowTabs />
    </>
  );
}
