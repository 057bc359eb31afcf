import type { RenderParams } from '@platen/schema';
import { AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook, HookMap } from 'tapable';
import type { RenderAssetStore } from './assets/render-asset-store.js';
import type { EncodeContext, BaseRenderContext, RenderContext } from './context.js';
import type { AssetCollector, CaptureValue, EncodedOutput, Output, OutputDeclaration } from './output.js';

/** The result of `navigate`: names the plugin that navigated. If no tap returns a value, the kernel loads the URL. */
export interface NavigateResult {
  readonly by: string;
}

/** The result of `waitFor`: the condition that was met. */
export interface WaitResult {
  readonly condition: string;
}

/** All extension points of a render, in the order in which the pipeline calls them. */
export function createHooks() {
  return Object.freeze({
    /** Before a page is opened: start slow lookups, or throw to refuse the render. No browser has been requested. */
    beforeOpen: new AsyncSeriesHook<[BaseRenderContext]>(['context'], 'beforeOpen'),
    /** The page is open and empty: start recorders, configure targets. */
    beforeNavigate: new AsyncSeriesHook<[RenderContext]>(['context'], 'beforeNavigate'),
    /** Loads the target. The first tap that returns a value has navigated; without one, the kernel goes to the URL. */
    navigate: new AsyncSeriesBailHook<[RenderContext], NavigateResult | undefined>(['context'], 'navigate'),
    /** The first tap that returns a value names the condition that was met; without one, the load event is awaited. */
    waitFor: new AsyncSeriesBailHook<[RenderContext], WaitResult | undefined>(['context'], 'waitFor'),
    /** The page is ready: act in it, which may lead to other documents. Runs once for each page that is loaded. */
    interact: new AsyncSeriesHook<[RenderContext]>(['context'], 'interact'),
    /** The page is ready: change it for every capture kind. */
    beforeCapture: new AsyncSeriesHook<[RenderContext]>(['context'], 'beforeCapture'),
    /** By capture kind, `capture.for(kind)`: returns the capture. */
    capture: new HookMap((kind) => new AsyncSeriesBailHook<[RenderContext], unknown>(['context'], `capture.${String(kind)}`)),
    /** After the capture: stop recorders, add assets with `assets.add(asset)`. */
    additionalAssets: new AsyncSeriesHook<[RenderContext, RenderAssetStore]>(['context', 'assets'], 'additionalAssets'),
    /** By capture kind, `captured.for(kind)`: sees the capture of the main output before it is encoded, and may return another. */
    captured: new HookMap(
      (kind) => new AsyncSeriesWaterfallHook<[unknown, EncodeContext]>(['capture', 'context'], `captured.${String(kind)}`),
    ),
    /** By output type, `encode.for(type)`: returns the body of the output. The page is closed, unless the capture is a stream. */
    encode: new HookMap(
      (type) =>
        new AsyncSeriesBailHook<[unknown, EncodeContext], EncodedOutput | undefined>(['capture', 'context'], `encode.${String(type)}`),
    ),
    /** The main output is encoded, and has not been read: check it, or throw to refuse it. */
    encoded: new AsyncSeriesHook<[Output, EncodeContext]>(['output', 'context'], 'encoded'),
  });
}

export type KernelHooks = ReturnType<typeof createHooks>;

/** Position of a tap in a hook's order; plugins of the same stage run in the order of their requirements. */
export const Stage = { first: -100, early: -10, normal: 0, late: 10, last: 100 } as const;

/**
 * Selects renders: with any of these capture kinds, output types, enabled asset switches, or parameters set by the request. All of them are
 * the plugin's own.
 */
export type Scope = Readonly<Partial<Record<'capture' | 'output' | 'asset' | 'param', string | readonly string[]>>>;

export interface TapOptions {
  readonly name: string;
  /** The renders for which the tap runs. Without it: all. */
  readonly for?: Scope | undefined;
  readonly stage?: (typeof Stage)[keyof typeof Stage];
}

/** A plugin's view of a hook: it can be tapped, but not called. */
export interface TapOnly<A extends readonly unknown[], R> {
  tap(options: string | TapOptions, fn: (...args: A) => R): void;
  tapPromise(options: string | TapOptions, fn: (...args: A) => Promise<R>): void;
}

type KindOf<F> = F extends readonly (infer K)[] ? K : F;
type SourceOf<O extends readonly OutputDeclaration[], T> = KindOf<Extract<O[number], { readonly type: T }>['from']>;

export interface PluginHooks<P = RenderParams, O extends readonly OutputDeclaration[] = readonly OutputDeclaration[]> {
  /** Runs before a page is opened: taps may start requests to other servers, or throw to refuse the render. */
  readonly beforeOpen: TapOnly<[BaseRenderContext<P>], void>;
  readonly beforeNavigate: TapOnly<[RenderContext<P>], void>;
  readonly navigate: TapOnly<[RenderContext<P>], NavigateResult | undefined>;
  readonly waitFor: TapOnly<[RenderContext<P>], WaitResult | undefined>;
  /** The page is ready, by any condition. Runs once for each page that is loaded: for actions that may lead to other documents. */
  readonly interact: TapOnly<[RenderContext<P>], void>;
  /** The page is ready, by any condition: for changes that all capture kinds need. */
  readonly beforeCapture: TapOnly<[RenderContext<P>], void>;
  readonly capture: { for<K extends string>(kind: K): TapOnly<[RenderContext<P>], CaptureValue<K> | undefined> };
  readonly additionalAssets: TapOnly<[RenderContext<P>, AssetCollector], void>;
  readonly captured: { for<K extends string>(kind: K): TapOnly<[CaptureValue<K>, EncodeContext<P>], CaptureValue<K> | undefined> };
  readonly encode: {
    for<T extends O[number]['type']>(type: T): TapOnly<[CaptureValue<SourceOf<O, T>>, EncodeContext<P>], EncodedOutput>;
  };
  readonly encoded: TapOnly<[Output, EncodeContext<P>], void>;
}
