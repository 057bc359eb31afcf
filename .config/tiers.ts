/** The tier of a test file, declared here alone, as globs. A file that none of them matches is of the tier `browser`. */
export const TIERS = {
  /** The house rules, linted with: `npm run check` runs them. */
  rules: ['test/architecture/lint-rules.test.ts'],

  /** No browser and no process of Platen, which `test/helpers/unit-tier.ts` refuses: the files share one process. */
  unit: [
    'test/{architecture,schema}/!(lint-rules).test.ts',
    'test/interface/{answers,bad-input,requests,target-and-browser}.test.ts',
    'test/kernel/!(data-url|prepare|retry).test.ts',
    'test/kernel/assets/*.test.ts',
    'test/kernel/browser/{emulation/client-hints,pool/concurrency-limiter,process/{health,network-service,pipe-transport,run-program,switches},protocol/network-errors}.test.ts',
    'test/kernel/egress/!(chromium|odd-answers).test.ts',
    'test/plugins/reloads.test.ts',
    'test/plugins/asset/storage/{omitted-items,storage-rpc}.test.ts',
    'test/plugins/auth/!(secrets|sign-command).test.ts',
    'test/plugins/capture/*/{frame,frame-drop-policy,socket-recording,stitch}.test.ts',
    'test/plugins/lib/{ffmpeg,ffmpeg-host,jxl,raster,sources,spool,worker}/!(encode-video).test.ts',
    'test/plugins/lib/accessibility-tree/yielding.test.ts',
    'test/plugins/output/*/{disk-full,encode-pprof,parts,read-cpu-profile,read-memory-profile,split-trace,trim-events,write-trace}.test.ts',
    'test/plugins/output/{download,pdf}/{media-type,strip-link-credentials}.test.ts',
    'test/plugins/output/markdown/{convert,estimate-cost,gfm,tables,tex-in-text}.test.ts',
    'test/plugins/{page,service}/!(contract).test.ts',
    'test/plugins/page/adblock/patterns/*.test.ts',
    'test/plugins/page/*/{cookies,headers,key-store,model,parse,parse-robots,poll-until,robots-cache,setting}.test.ts',
    'test/plugins/page/emulate/plan.test.ts',
    'test/plugins/service/cache/!(crash|end-to-end).test.ts',
    'test/plugins/service/egress/!(egress|parse-list).test.ts',
    'test/plugins/service/{license,limits,metrics}/!(command).test.ts',
    'test/plugins/service/openapi/{admin-credential,document,reload}.test.ts',
    'test/readmes.test.ts',
    'test/security/{documented,own-fetches}.test.ts',
    'test/server/json-fault.test.ts',
    'test/server/{assets,doctor,flags,http,log,service,signing}/!(disk-full|doctor).test.ts',
    'test/server/cli/{assert-no-command,assert-outputs,compression,grace-period,output-type,read-target,watch-flags}.test.ts',
  ],

  /**
   * A browser, and nothing that outlasts its file: no changed environment, no mocks, no counting of processes, no measuring. The files share
   * processes: loading the modules anew for each would be a third of their processor time.
   */
  shared: [
    'test/kernel/browser/protocol/{initializers,inject-script,late-calls,second-session}.test.ts',
    'test/kernel/{data-url,egress/chromium,egress/odd-answers}.test.ts',
    'test/plugins/**/contract.test.ts',
    'test/plugins/asset/network-log/network-log.test.ts',
    'test/plugins/asset/storage/{clone,cookies,film,limit,load-default,odd-hosts,params,playwright,restore}.test.ts',
    'test/plugins/capture/dom/content*.test.ts',
    'test/plugins/capture/frames/{parts,plan}.test.ts',
    'test/plugins/capture/network/{headers,record,secure}.test.ts',
    'test/plugins/lib/accessibility-tree/{deferred,frames,top-layer,visible,visible-in-frames}.test.ts',
    'test/plugins/lib/{navigation-start,page-functions}/*.test.ts',
    'test/plugins/output/{bmp,html,jpegxl,served-documents,still-size,txt}.test.ts',
    'test/plugins/output/{axtree/modal,download/fail-false,har/chrome-har,har/replay,markdown/markdown,mhtml/mhtml,trace/faults}.test.ts',
    'test/plugins/output/pdf/{amend-pdf,faults,pdf}.test.ts',
    'test/plugins/output/pprof/{own-scripts,speedscope}.test.ts',
    'test/plugins/page/emulate/{emulate,hint-memory,vision,with-identity}.test.ts',
    'test/plugins/page/target/{plan,tablets}.test.ts',
    'test/plugins/page/{robots/robots,wait/number,web-bot-auth/web-bot-auth}.test.ts',
    'test/plugins/service/openapi/{examples,own-files,pages,playground-link,playground-method,playground-request,show-value}.test.ts',
  ],

  /** Whole builds and installations, load, every encoder at length, corpora kept apart from the work on them: `.ci/run` adds them. */
  slow: [
    'test/{pack-all,server/deploy}.test.ts',
    'test/{plugin-template,server/trim,setup}/**/*.test.ts',
    'test/faults/{fairness,load,page,processes,soak,unstable}.test.ts',
    'test/security/{network,process}.test.ts',
    'test/plugins/asset/storage/deepest.test.ts',
    'test/plugins/capture/network/{cost,slow-session}.test.ts',
    'test/plugins/capture/frames/{area,live-fallback,timing}.test.ts',
    'test/plugins/lib/ffmpeg/encode-video.test.ts',
    'test/plugins/lib/accessibility-tree/large.test.ts',
    'test/plugins/output/{animated,film-render,http-films,odd-hosts,recorders-of-failures,status-while-encoding,still,video}.test.ts',
    'test/plugins/output/markdown/generated.test.ts',
    'test/plugins/page/adblock/lists.test.ts',
    'test/plugins/page/modals/held-out.test.ts',
    'test/plugins/service/cache/crash.test.ts',
    'test/plugins/service/egress/parse-list.test.ts',
    'test/server/cli/{end-of-process,report-broken}.test.ts',
  ],
};
