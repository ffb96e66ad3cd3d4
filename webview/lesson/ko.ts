/** The lessons in Korean, and what the scripts name in English: parameters (`demo.parameter`), figures (`demo.figure`), and why they differ. */
import type { LessonWords } from './en';

export const lessonsKo: Readonly<Record<string, LessonWords>> = {
  'chunk-vs-rail': {
    title: '청크와 레일',
    steps: {
      problem: '조회 1,000건이 연결 50개짜리 커넥션 풀을 가진 데이터베이스를 기다립니다. 한꺼번에 보내면 너무 많고, 하나씩 보내면 20분이 걸립니다. 어떻게 하면 50개를 계속 돌릴 수 있을까요?',
      draw: '먼저 그려 보세요. 작업 열 개를 다섯 개씩 처리합니다. 막대 끝을 끌거나, 막대를 고르고 화살표 키를 쓰세요. 청크와 레일이 다시 배치됩니다. 청크는 가장 긴 프로미스만큼 걸리고, 빗금 친 시간에는 아무것도 시작할 수 없습니다.',
      figure: '이제 그 열 개를 실행해 그림과 비교하세요. 청크로는 16.6, 레일로는 14.3 단위가 걸립니다. 작업 7은 작업 1을 기다리지 않고 레일이 비는 대로 시작합니다.',
      experiment: '0.5초에서 2초까지의 대기 1,000건을 50개씩 처리합니다. 50개 중 하나는 거의 언제나 2초에 가까우므로 청크 하나는 평균 1.97초, 스무 개는 39.4초입니다. 레일은 일을 나눌 뿐이라 아무리 빨라도 25초이고, 문서의 측정값은 26.455초로 3분의 1이 적습니다.',
      similar: '걸리는 시간이 거의 같은 작업은 빈틈을 남기지 않습니다. 큰 차이가 없습니다. 마지막 수치와 빗금의 양을 보세요.',
      heavy: '아주 오래 걸리는 작업이 몇 개 있습니다. 부하가 걸린 서비스의 흔한 모습입니다. 이제 거의 모든 청크가 그중 하나를 기다리고, 레일은 그 옆에서 계속 나아갑니다.',
      connections: '50개짜리 풀은 함께 씁니다. 다른 서버가 연결 30개를 쓰고 있습니다. 실행 중인 작업 50개 중 30개는 연결을 기다릴 뿐이어서 어느 방식도 한 번에 20개보다 빠를 수 없습니다. 한도는 실제로 비어 있는 수보다 낮게 잡으세요.',
      libraries: 'es6-promise-pool은 함수에 다음 프로미스를 달라고 하고, @supercharge/promise-pool은 목록을 받습니다. 둘 다 같은 레일을 유지합니다. 차이는 쓰는 방식의 취향입니다.',
      advice: '바꾸기 전에: 테스트 자원에서 얻은 결과는 실제 자원에서 확인해야 하고, Promise.all로 충분하면 바꾸지 마세요.',
    },
  },
  'read-files': {
    title: '많은 파일 읽기',
    steps: {
      question: '파일 수천 개를 읽을 때 Promise.all이 효율적일까요? 문서는 100,000개를 읽었습니다. 여기서는 파일을 만들어 열한 가지 방법으로 읽고 다시 지웁니다. 비교할 수 있도록 시간은 파일당으로 적습니다.',
      ways: '실행하고 표를 보세요. 하나씩, 한꺼번에, Promise.all을 쓰거나 쓰지 않고, 워커 스레드로, 메시지로 스트리밍하며, 그리고 Node 없이 셸의 프로그램들로 읽습니다. 방금 쓴 파일은 메모리에서 나오므로 문서보다 빠르고, 순서도 다를 수 있습니다.',
      libuv: 'Promise.all을 쓰든 안 쓰든 같습니다. 프로미스는 장부일 뿐이고, 실제 읽기는 네 개뿐인 libuv 스레드 앞에 줄을 섭니다. 그 줄은 막대 아래의 띠 ‘libuv’에 보입니다. Node 24.21이나 26부터 보이고, 그 전에는 백엔드를 async_hooks로 바꾸면 보입니다.',
      threads: 'UV_THREADPOOL_SIZE가 그 수를 정합니다. 디스크나 네트워크를 기다려야 할 때는 늘리면 도움이 됩니다. 방금 쓴 파일은 메모리에서 나오므로 그때는 CPU가 한계입니다.',
      share: '컨테이너에서는 프로세스가 CPU의 일부만 받는 일이 많습니다. 워커를 늘려도 그 몫을 나눌 뿐이어서 각자 덜 받고, 모두 합쳐도 빨라지지 않습니다. 여기서는 시스템이 허용하면 몫을 다 쓴 프로세스를 실제로 멈춥니다. 워커 넷이 CPU 0.6을 나누면 각자 15퍼센트입니다. 마지막 방법은 CPU 시간을 몫으로 나눈 만큼 걸립니다.',
    },
  },
  'fail-fast': {
    title: '여럿 가운데 하나의 거부',
    steps: {
      rule: 'Promise.all의 프로미스 하나가 거부되면 호출 전체가 곧바로 거부됩니다. 나머지는 어떻게 될까요?',
      rejects: '실행해 보세요. 열 개 중 세 번째 작업이 실패합니다. 호출은 끝났지만 일곱 개는 연결을 쥔 채 계속 실행되고 끝납니다. 아무도 그 결과를 읽지 않으므로 속이 빈 막대로 그립니다.',
      none: '실패가 없으면 두 호출 모두 가장 느린 작업과 함께 끝나고 모든 결과를 넘겨줍니다.',
      advice: '하나의 실패로 나머지가 쓸모없어지면 Promise.all이 맞습니다. 결과 하나하나가 중요하면 allSettled를 쓰고, 나머지를 멈춰야 하면 따로 신호를 주어야 합니다.',
    },
  },
  'pipeline': {
    title: '네 단계 파이프라인',
    steps: {
      stages: '항목은 0.1밀리초 간격으로 만들어져 순서대로 두 번 변환되고 16개 레인에서 끝납니다. 단계 사이에는 항목 여덟 개를 담는 큐가 있습니다. 항목을 넘기지 못하는 단계는 새 항목을 받지 않습니다. Node의 시계는 밀리초 단위이므로 여기서는 모든 지연을 두 배로 늘렸습니다.',
      variants: '여섯 가지 변형을 모두 실행하고 수치 아래의 표를 펼쳐 보세요. 토픽은 모든 항목을 모든 레인에 보내고 가장 찬 큐를 기다리므로 가장 느립니다. 직접 만든 팬아웃은 항목을 제자리로만 보냅니다. 이제 2단계가 한계입니다. 1·2단계를 합치면 레인을 함께 쓰고 마지막 단계만 한계로 남습니다. 여기서는 스레드 하나가 모든 일을 하므로 속도가 아니라 비율을 문서와 비교하세요.',
      pressure: '마지막 단계를 다섯 배 느리게 했습니다. 그 속도가 모두의 속도가 됩니다. 이것이 배압입니다. 단계별 표에서 ‘뒤에 자리 없음’이 시작까지 거슬러 올라갑니다. 그 아래에서는 한 항목의 여정을 따라갑니다.',
      order: '이제 2단계는 레인이 네 개뿐이고 순서를 지킵니다. 끝난 항목도 앞의 느린 항목을 기다립니다. 선두 차단입니다. ‘순서에 붙잡힘’ 열이 레인이 그 때문에 잃는 시간을 말합니다.',
      lessons: '팬아웃은 토픽보다 이득입니다. 레인이 남의 항목을 기다리지 않기 때문입니다. 순서 있는 두 단계를 합치면 줄을 두 번이 아니라 한 번만 서므로 이득입니다. 내보내기 전에 거르는 것은 이득이 없었고, 팬아웃까지 순서를 지키는 데는 비용이 없었습니다. 문서에서는 팬아웃 없는 마지막 단계 하나도 더 느렸습니다. 스레드 16개가 큐 하나를 두고 다퉜기 때문입니다. 여기서는 스레드 하나가 모두 하므로 다툴 일이 없습니다.',
    },
  },
  'sync-vs-async': {
    title: '동기 읽기와 비동기 읽기',
    steps: {
      question: 'readFileSync는 읽기만 합니다. fs.promises.readFile은 프로미스를 만들고 libuv 스레드를 거칩니다. 어느 쪽이 빠를까요?',
      table: '실행해 보세요. 파일 1개, 2개, 100개를 네 번씩, 메모리에서 한 번, 디스크에서 한 번 읽습니다. 수치 아래의 표에 모든 실행이 있습니다. 메모리에서는 동기가 이깁니다. 첫 실행은 아직 컴파일되지 않아 다릅니다. 프로미스 자체의 비용은 거의 없습니다.',
      more: '파일이 더 많으면: 디스크에서 읽을 때는 동시성이 커질수록 비동기의 비용이 값을 하고 비율이 1 쪽으로 내려갑니다. 네 스레드가 함께 기다리기 때문입니다. 메모리에서 나오는 파일은 기다릴 것이 없어 비율이 그대로입니다. 디스크는 변덕스러우니 여러 번 실행해 보세요.',
      blocked: '하지만 동기 읽기는 다른 모든 것을 멈춥니다. 마지막 두 수치는 동기 읽기와 비동기 읽기 곁에서 타이머의 차례가 얼마나 늦었는지 말합니다. 서버라면 그것이 다른 사람의 요청입니다.',
    },
  },
  'thread-pool': {
    title: '스레드 풀 조정',
    steps: {
      rules: '작업이 ThreadPoolExecutor에 옵니다. 스레드가 core보다 적으면 새 스레드를 만들고, 아니면 큐에 넣습니다. 큐가 차면 max까지 새 스레드를 만들고, 그것도 차면 작업을 거부합니다. 그래서 큐가 길면 max에는 결코 이르지 않습니다.',
      example: '작업 열 개를 한꺼번에, core 2, max 4, 큐 2로 제출합니다. 거부된 작업을 호출자가 실행하면 열 개가 모두 끝나지만 호출자는 그동안 아무것도 제출하지 못합니다. 다른 정책에서는 max와 큐를 더한 여섯 개만 끝납니다.',
      queue: '큐가 10이면 아무것도 거부되지 않고, core 스레드 두 개만 일합니다.',
      nested: '서비스는 다른 서비스를 부릅니다. apiExecutor의 작업은 clientExecutor에 호출을 제출하고 기다립니다. 그동안 스레드는 붙잡힌 채 놀고 있습니다. 수치 아래의 표에 세 가지 설정의 앞뒤가 초와 퍼센트로 있습니다. 바깥 core를 10에서 20으로 늘리면 더 많은 호출이 겹칩니다. 문서에서는 차례로 보낼 때 5분의 1, 한꺼번에 보낼 때 절반이 줄었고, 응답은 600ms에서 400ms로 빨라졌습니다. 마지막 설정은 안쪽의 상한만 정합니다.',
      burst: '이제 작업 150개를 한꺼번에 보냅니다. 어떤 큐든 넘치므로 어느 설정에서나 스레드가 max까지 늘고 core는 거의 상관없습니다. 안쪽 상한 30은 100이라면 막지 않았을 것을 막습니다. 설정은 그 자체가 아니라 부하에 맞아야 합니다.',
      starved: '안쪽 실행기의 스레드가 두 개면 바깥 작업은 몇 개든 모두 그것을 기다립니다. 바깥 실행기는 굶습니다. 스레드는 모두 붙잡혔는데 아무도 일하지 않습니다. 80ms짜리 호출을 얼마나 기다리는지 보세요.',
      forkJoin: '스레드 7개짜리 포크조인 풀과 20개짜리: 문서는 블로킹 호출에서 차이를 보지 못했습니다. 다른 무엇이 한계였습니다. 여기서는 연결 수입니다. 연결이 20개면 스레드 20개가 더 빠릅니다.',
    },
  },
};

const VARIANTS = ['Topic', 'NonTopic', 'NonFanOut', 'StepMinified', 'EfficientStepMinified', 'OrderingStepMinified'];
const SCALE = '모든 시간에 곱하는 수';
export const labelsKo: Readonly<Record<string, string>> = {
  'chunk-vs-rail.tasks': '작업 시간의 분포', 'chunk-vs-rail.count': '전체 작업 수', 'chunk-vs-rail.size': '청크의 작업 수, 풀의 레일 수', 'chunk-vs-rail.min': '가장 짧은 대기, ms',
  'chunk-vs-rail.max': '가장 긴 대기, ms', 'chunk-vs-rail.free': '우리에게 비어 있는 데이터베이스 연결. 0: 제한 없음', 'chunk-vs-rail.library': '프로미스 풀 라이브러리', 'chunk-vs-rail.scale': SCALE,
  'chunk-vs-rail.chunk': '청크 하나의 평균', 'chunk-vs-rail.chunks': '청크 전체', 'chunk-vs-rail.rails': '레일, @supercharge/promise-pool', 'chunk-vs-rail.es6': '레일, es6-promise-pool', 'chunk-vs-rail.less': '레일이 줄인 시간',
  'chunk-vs-rail.why': '대기 시간은 실행할 때마다 새로 뽑고, 타이머는 1~2밀리초 늦을 수 있으며 배율이 작으면 그만큼 커집니다.',
  'read-files.files': '읽을 파일 수', 'read-files.bytes': '파일 크기, 바이트', 'read-files.workers': '워커 스레드 수', 'read-files.share': '마지막 방법에 주는 CPU 수',
  'read-files.one': '하나씩', 'read-files.all': '한꺼번에, Promise.all로', 'read-files.then': '한꺼번에, Promise.all 없이', 'read-files.workers4': '워커로', 'read-files.worker': '워커 1개로', 'read-files.stream': '워커가 메시지로 스트리밍', 'read-files.shell': '셸 파이프라인으로: find | xargs cat | wc',
  'read-files.each': '워커마다, 초', 'read-files.each.worker': '워커', 'read-files.each.own': '제 시간', 'read-files.each.limited': '제 몫으로',
  'read-files.uv1': '한꺼번에, UV_THREADPOOL_SIZE=1', 'read-files.uv4': '한꺼번에, UV_THREADPOOL_SIZE=4', 'read-files.uv16': '한꺼번에, UV_THREADPOOL_SIZE=16', 'read-files.limited': 'CPU 일부만 받은 워커로',
  'read-files.why': '문서는 디스크에서 파일 100,000개를 읽었습니다. 방금 만든 파일은 메모리에서 나와 스레드가 기다릴 것이 없고 CPU를 나눠 씁니다. CPU가 적으면 하나씩 읽는 것이 가장 빠를 수도 있습니다. 워커와 프로세스와 프로그램을 시작하는 시간도 들어 있고, 파일이 적을수록 그 비중이 큽니다.',
  'fail-fast.count': '전체 작업 수', 'fail-fast.fails': '실패하는 작업. 0: 없음', 'fail-fast.first': '첫 작업의 시간, ms', 'fail-fast.step': '다음 작업마다 늘어나는 시간, ms', 'fail-fast.scale': SCALE,
  'fail-fast.all': 'Promise.all이 답한 시간', 'fail-fast.ignored': '계속 실행되었으나 무시된 작업', 'fail-fast.settled': 'Promise.allSettled가 답한 시간', 'fail-fast.kept': 'allSettled가 지킨 결과',
  'fail-fast.why': '문서는 규칙만 말하고 수치는 주지 않습니다. 타이머는 1~2밀리초 늦을 수 있습니다.',
  'pipeline.variant': '변형', 'pipeline.seconds': '변형마다 실행하는 시간, s', 'pipeline.items': '최대 항목 수', 'pipeline.every': '항목 사이의 시간, ms', 'pipeline.step1': '1단계의 최대 시간, ms', 'pipeline.step2': '2단계의 최대 시간, ms',
  'pipeline.final': '마지막 단계의 최대 시간, ms', 'pipeline.lanes1': '1단계의 레인 수', 'pipeline.lanes2': '2단계의 레인 수', 'pipeline.lanes': '마지막 단계의 레인 수', 'pipeline.queue': '단계 사이 큐의 크기', 'pipeline.follow': '끝까지 따라갈 항목', 'pipeline.scale': '모든 지연에 곱하는 수',
  ...Object.fromEntries(VARIANTS.flatMap((name) => [[`pipeline.${name}`, `${name}, 마지막 레인마다`], [`pipeline.${name}-ratio`, `Topic에 견준 ${name}`]])),
  'pipeline.why': '문서는 밀리초보다 짧게 기다릴 수 있는 실제 스레드를 썼고, 단계마다 몇 개였는지, 큐가 얼마나 컸는지는 밝히지 않습니다. 여기서는 Node의 스레드 하나가 모두 하고 타이머는 밀리초 단위입니다. 속도가 아니라 비율을 비교하세요. 마지막 레인이 모두 꺼내 가는 큐 하나는 스레드가 하나면 비용이 없으므로 NonFanOut은 여기서 손해를 보지 않습니다. 문서의 스레드들은 그 큐를 두고 다퉈야 했습니다. Async Lanes가 지켜보면 프로미스마다 비용이 더 들고 토픽은 항목마다 서른 개쯤 만듭니다. 비율은 node만으로 실행해 보세요.',
  'pipeline.stages': '단계별', 'pipeline.stages.stage': '단계', 'pipeline.stages.rate': '초당 항목', 'pipeline.stages.busy': '일함', 'pipeline.stages.held': '순서에 붙잡힘', 'pipeline.stages.blocked': '뒤에 자리 없음', 'pipeline.stages.idle': '할 일 없음', 'pipeline.stages.queued': '큐에', 'pipeline.stages.seconds': '초마다',
  'pipeline.item': '한 항목의 여정', 'pipeline.item.stage': '단계', 'pipeline.item.what': '무엇', 'pipeline.item.at': '만들어진 뒤 ms', 'pipeline.begins': '시작', 'pipeline.done': '끝남', 'pipeline.let go': '보내 줌',
  'pipeline.variants': '초당 항목 수, 문서와 같은 표', 'pipeline.variants.variant': '변형', 'pipeline.variants.start': '시작', 'pipeline.variants.steps': '1·2단계', 'pipeline.variants.lane': '마지막 레인', 'pipeline.variants.ratio': '× Topic',
  'pipeline.variants.documentedStart': '문서: 시작', 'pipeline.variants.documentedSteps': '1·2단계', 'pipeline.variants.documentedLane': '마지막 레인', 'pipeline.variants.documentedRatio': '× Topic',
  'pipeline.start': '시작', 'pipeline.step 1': '1단계', 'pipeline.step 2': '2단계', 'pipeline.steps 1+2': '1+2단계', 'pipeline.final, all': '마지막, 전체', 'pipeline.final, one': '마지막, 하나',
  'sync-vs-async.many': '가장 큰 묶음의 파일 수', 'sync-vs-async.bytes': '파일 크기, 바이트', 'sync-vs-async.runs': '각각의 실행 횟수', 'sync-vs-async.reads': '째깍이는 풀 곁에서 가장 큰 묶음을 읽는 횟수',
  'sync-vs-async.cache': '파일을 어디에서 읽는지',
  'sync-vs-async.memory-one': '비동기/동기, 메모리의 파일 1개', 'sync-vs-async.memory-two': '비동기/동기, 메모리의 파일 2개', 'sync-vs-async.memory-large': '비동기/동기, 메모리의 가장 큰 묶음',
  'sync-vs-async.disk-one': '비동기/동기, 디스크의 파일 1개', 'sync-vs-async.disk-two': '비동기/동기, 디스크의 파일 2개', 'sync-vs-async.disk-large': '비동기/동기, 디스크의 가장 큰 묶음',
  'sync-vs-async.memory': '메모리', 'sync-vs-async.disk': '디스크', 'sync-vs-async.reads-of': 'readFileSync와 Promise.all로 읽기', 'sync-vs-async.reads-of.files': '파일', 'sync-vs-async.reads-of.run': '실행', 'sync-vs-async.reads-of.sync': '동기 ms', 'sync-vs-async.reads-of.async': '비동기 ms', 'sync-vs-async.reads-of.ratio': '비동기/동기',
  'sync-vs-async.promise': '빈 프로미스 1개', 'sync-vs-async.promises': '빈 프로미스 100개', 'sync-vs-async.blocked': '차례를 기다린 최대 시간, 동기', 'sync-vs-async.free': '차례를 기다린 최대 시간, 비동기',
  'sync-vs-async.why': '비동기 읽기에는 한 번 드는 비용과 파일마다 드는 비용이 있고, 동기 읽기에는 파일마다 드는 비용만 있습니다. 그래서 비율은 파일 수가 늘면 파일 하나의 비용 차이까지 내려갑니다. 메모리에서 나오는 파일은 동기로 10µs쯤이면 읽히고 비동기는 몇 개든 그 몇 배가 들어, 비율이 거의 내려가지 않거나 CPU가 적으면 오르기도 합니다. 디스크에서 읽을 때는 둘 다 기다리고 비동기 읽기는 함께 기다립니다. 문서는 파일이 어디에서 나왔는지 밝히지 않습니다. 프로미스는 그동안 싸졌고, Async Lanes가 지켜볼 때는 조금 더 듭니다.',
  'thread-pool.tasks': '한꺼번에 차례로 제출하는 작업 수', 'thread-pool.takes': '작업 시간, ms. 다음 작업마다 10분의 1씩 길어짐', 'thread-pool.core': '남아 있는 스레드', 'thread-pool.max': '최대 스레드', 'thread-pool.queue': '기다릴 수 있는 작업', 'thread-pool.keepAlive': 'core를 넘는 스레드가 일을 기다리는 시간, ms',
  'thread-pool.rejection': '들어갈 곳 없는 작업의 처리', 'thread-pool.requests': '중첩 실행기에 차례로 보내는 요청 수', 'thread-pool.burst': '중첩 실행기에 한꺼번에 보내는 작업 수',
  'thread-pool.sequential': '순차', 'thread-pool.concurrent': '동시', 'thread-pool.settings': '세 가지 설정', 'thread-pool.settings.setting': '설정', 'thread-pool.settings.api': 'apiExecutor', 'thread-pool.settings.client': 'clientExecutor', 'thread-pool.settings.time': '초', 'thread-pool.settings.less': '줄어듦', 'thread-pool.settings.waited': '호출을 기다림, ms', 'thread-pool.settings.answered': '응답까지, ms', 'thread-pool.settings.heap': '힙, MB', 'thread-pool.settings.documentedTime': '문서: 초', 'thread-pool.settings.documentedLess': '줄어듦',
  'thread-pool.before': '처음', 'thread-pool.first': '첫 설정 고침', 'thread-pool.both': '둘 다 고침', 'thread-pool.inner': '너무 작은 안쪽 실행기의 스레드 수. 0: 생략', 'thread-pool.connections': '포크조인 풀의 블로킹 호출이 나눠 쓰는 연결 수', 'thread-pool.scale': SCALE,
  'thread-pool.callerRuns': 'callerRuns: 끝난 작업', 'thread-pool.abort': 'abort: 끝난 작업', 'thread-pool.discard': 'discard: 끝난 작업', 'thread-pool.discardOldest': 'discardOldest: 끝난 작업',
  'thread-pool.sequential-first': '순차, 첫 설정만 고침: 줄어든 시간', 'thread-pool.sequential-both': '순차, 둘 다 고침: 줄어든 시간', 'thread-pool.concurrent-first': '동시, 첫 설정만 고침: 줄어든 시간', 'thread-pool.concurrent-both': '동시, 둘 다 고침: 줄어든 시간',
  'thread-pool.starved': '작은 안쪽 실행기: 호출을 기다린 시간', 'thread-pool.forkJoin': '포크조인, 7개 대신 20개: 줄어든 시간',
  'thread-pool.why': '문서는 호출 시간을 밝히지 않은 서비스를 측정했습니다. 여기서 작업은 120ms 일하고 80ms 호출을 기다립니다. 한꺼번에 보낸 작업 35개는 처음 설정에 꼭 맞습니다. 10개가 실행되고 25개가 큐에 있으므로 core를 두 배로 늘리면 시간이 절반쯤으로 줄어듭니다. 150개라면 대부분 core에도 큐에도 들어가지 못해 어느 설정에서나 스레드가 max까지 늘고, core는 별로 중요하지 않으며, 안쪽 상한 30이 발목을 잡습니다. 7개와 20개가 같았다면 다른 것이 한계였다는 뜻이고, 여기서는 연결 수입니다.',
};
