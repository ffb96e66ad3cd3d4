// @style old style: next() takes a feed and returns its promise .then(next), three such chains under Promise.all
// @expect feeds: pool tasks=10 conc=3 ok=10 error=0 peak=3 lanes=3
var http = require('http');
var gt = require('../gt.cjs');

var g = gt.group({ name: 'feeds', kind: 'pool', concurrency: 3, declared: 10 });
var feeds = gt.range(10);
var port;

function download(n, lane) { // @task feeds
  var t = g.start(n, { worker: lane });
  return new Promise(function (resolve, reject) {
    http.get({ port: port, host: '127.0.0.1', path: '/' + n, agent: false }, function (res) {
      res.resume();
      res.on('end', function () { t.ok(); resolve(res.statusCode); });
    }).on('error', reject);
  });
}

function next(lane) { // @worker feeds
  if (feeds.length === 0) return Promise.resolve();
  return download(feeds.shift(), lane).then(function () { // @group feeds
    return next(lane);
  });
}

var server = http.createServer(function (req, res) {
  setTimeout(function () { res.end('ok'); }, gt.ms(Number(req.url.slice(1)), 20, 70));
});
server.listen(0, '127.0.0.1', function () {
  port = server.address().port;
  Promise.all([next(0), next(1), next(2)]).then(function () { // @group feeds
    g.end();
    server.close();
  });
});
