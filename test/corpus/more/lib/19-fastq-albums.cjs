// @style chunk within pool: fastq.promise works on two albums at once, each album uploads its photos with lodash chunk + Promise.all
// @lib fastq
// @expect albums: pool tasks=5 conc=2 ok=5 error=0 peak=2
// @expect photos-*: chunk groups=5 tasks=5 conc=2 chunks=3 ok=5 error=0 peak=2 parent=albums/*
const fastq = require('fastq')
const _ = require('lodash')
const gt = require('../gt.cjs')

class AlbumService {
  constructor ({ albumsAtOnce, photosAtOnce, storage }) {
    this.photosAtOnce = photosAtOnce
    this.storage = storage
    this.queue = fastq.promise(this, this.upload, albumsAtOnce)
    this.truth = gt.group({ name: 'albums', kind: 'pool', lib: 'fastq', concurrency: albumsAtOnce, declared: 5 })
  }

  /** public: resolves with the urls of all photos of all albums */
  async uploadAll (albums) {
    const results = await Promise.all(albums.map((album) => this.queue.push(album))) // @group albums
    this.truth.end()
    return _.flatten(results)
  }

  async upload (album) { // @task albums
    const t = this.truth.start(album.id)
    const g = gt.group({ name: `photos-${album.id}`, kind: 'chunk', combinator: 'all', concurrency: this.photosAtOnce, size: this.photosAtOnce, declared: album.photos.length, parent: { g: this.truth, id: album.id } })
    const urls = []
    for (const part of _.chunk(album.photos, this.photosAtOnce)) {
      urls.push(...await Promise.all(part.map((photo) => this.storage.put(photo, g)))) // @group photos-*
    }
    g.end()
    return t.ok(urls)
  }
}

class SlowStorage {
  async put (photo, g) { // @task photos-*
    const t = g.start(photo.name)
    await new Promise((resolve) => setTimeout(resolve, gt.ms(photo.nr, 15, 45)))
    return t.ok(`s3://album/${photo.name}`)
  }
}

const albums = gt.range(5).map((id) => ({
  id,
  photos: gt.range(5).map((k) => ({ nr: id * 5 + k, name: `${id}-${k}.jpg` }))
}))

new AlbumService({ albumsAtOnce: 2, photosAtOnce: 2, storage: new SlowStorage() })
  .uploadAll(albums)
  .then((urls) => {
    if (urls.length !== 25) process.exitCode = 1
  })
