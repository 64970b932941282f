/** Types that many scripts of the pages share, and what the pages use of browsers that TypeScript's library lacks. */

declare namespace Page {
  /** A child of an element, as base/dom.js takes it: null, undefined, true and false are none. */
  type Child = Node | string | number | boolean | null | undefined | readonly Child[];

  /** An element's attributes and, by names such as `onclick`, its listeners. */
  type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>;

  type Model = import("../../../api/static/table/model.js").Model;

  type DisputeModel = import("../../../api/static/disputes/model.js").Model;

  /** A view as the table draws it; one of a sandbox has no names, since the replay has them. */
  type View = (Api.NamedView | Api.SandboxView) & { names?: Record<string, string>; sandbox?: boolean };

  /** A trick on the table; one that is still shown has its taker and, if it lies there from before a view, a version. */
  type Trick = Api.TableTrick & { taker?: number; version?: number };

  /** A line of a game's log; it has no event if the viewer may not see it yet. */
  type Line = Api.WithheldItem & { event?: Api.EventEnvelope };

  interface Answered<Method extends Api.Method, Path extends string> {
    body: Api.Answer<Method, Path>;
    status: number;
    headers: Headers;
  }
}

interface Window {
  /** Swagger UI. The page of the description loads it before its own script. */
  SwaggerUIBundle?: any;
  /** The page's texts in another language than English, by their keys. */
  trickbookMessages?: Record<string, any>;
  skipWaiting(): Promise<void>;
  registration: ServiceWorkerRegistration;
  clients: { matchAll(options: object): Promise<{ url: string, focus(): Promise<unknown> }[]>, openWindow(path: string): Promise<unknown> };
  trustedTypes?: { createPolicy(name: string, rules: TrustedScripts): TrustedScripts };
}

interface TrustedScripts {
  createScriptURL(text: string): string;
}

interface WindowEventMap {
  inbox: CustomEvent<Api.InboxEntry>;
  session: CustomEvent<Api.Session>;
  install: WorkerEvent;
  activate: WorkerEvent;
  fetch: WorkerEvent;
  push: WorkerEvent;
  notificationclick: WorkerEvent;
}

/** What base/worker.js gets, which runs without a page. TypeScript's library for such scripts excludes that for pages. */
interface WorkerEvent extends Event {
  request: Request;
  data: { json(): any } | null;
  notification: Notification;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response | undefined>): void;
}
